import {
  type AnswerTo,
  type Commitment,
  CallRequest,
  createMethodSettings,
  type Opening,
  type Profile,
  type Read,
  type ReadKind,
  type ReadView,
  type RoundObserver,
  sentStatements,
  type ViewSource,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { finalizedViewOf, SharedOverlay } from "@lamplight/indexer";
import { apiVersion } from "@lamplight/server/command";
import type { Outcome } from "@lamplight/sources/endpoint";
import { notesOf, type StoreViews } from "../endpoint/store-views.ts";
import { deriveAgain, type Derivation, parseLoosely } from "./derivation.ts";
import { askedFacts, type Facts, foundFacts } from "./read-facts.ts";

/** One read of a call. Reads of one round went to the store together. */
export interface ExplainedRead {
  readonly round: number;
  readonly kind: ReadKind;
  readonly asked: Facts;
  /** Undefined where the store refused the round; null = there is nothing. */
  readonly found: Facts;
}

/** The text of a statement that a round of reads took. */
export interface ExplainedStatement {
  readonly round: number;
  readonly sql: string;
}

export interface ExplainedCall {
  readonly outcome: Outcome;
  /** The state that all reads are of; null where nothing was read. */
  readonly at: {
    readonly commitment: Commitment;
    readonly slot: number;
    readonly finalizedSlot: number;
  } | null;
  readonly notes: readonly string[];
  readonly reads: readonly ExplainedRead[];
  /** Those that went to a database server, in their order. */
  readonly statements: readonly ExplainedStatement[];
  /** Only for an asset that was asked for by its id. */
  readonly derivation: Derivation | null;
}

export interface ExplainedStore {
  readonly views: StoreViews;
  readonly profile: Profile;
  /** Asset methods read at this one, because their calls name none. */
  readonly assetCommitment: Commitment;
}

/** Attempts to derive an asset at the state of its call, while the store is written. */
const ATTEMPTS_MAX = 5;

/**
 * Explains a call as a server sends it that has answered others: alone in its request, by a store whose settings are
 * known. While the store is written faster than a call and its asset can be read, both are read from one snapshot.
 *
 * @throws LamplightError of the STORE family
 */
export const explainCall = async (
  store: ExplainedStore,
  method: string,
  params: unknown,
): Promise<ExplainedCall> => {
  const source = await sourceOf(store, method);
  const explain = (isAlone: boolean): Promise<ExplainedCall | null> =>
    explainOnce(store, new CallRecorder(source), method, params, isAlone);
  await explain(true);
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) {
    const explained = await explain(true);
    if (explained !== null) return explained;
  }
  return (await explain(false))!;
};

/** Null where the store was written between the call and the derivation of its asset. */
const explainOnce = async (
  { views, profile, assetCommitment }: ExplainedStore,
  recorder: CallRecorder,
  method: string,
  params: unknown,
  isAlone: boolean,
): Promise<ExplainedCall | null> => {
  const settings = createMethodSettings({ apiVersion, assetCommitment });
  const { onRound } = recorder;
  const request = new CallRequest({ viewSource: recorder, settings, profile, isAlone, onRound });
  try {
    sentStatements.subscribe(recorder.onStatement);
    const outcome = await ask(views, method, params, request).finally(() =>
      sentStatements.unsubscribe(recorder.onStatement),
    );
    const { opened, asset, reads, statements } = recorder;
    const derivation = method !== "getAsset" || asset === null ? null : await recorder.deriveAsset(asset);
    if (derivation === undefined) return null;
    const at = opened === null ? null : slotsOf(opened);
    return { outcome, at, notes: notesOf(request), reads, statements, derivation };
  } finally {
    request.close();
  }
};

const slotsOf = ({ commitment, view }: OpenedView): NonNullable<ExplainedCall["at"]> => ({
  commitment,
  slot: view.slot,
  finalizedSlot: finalizedViewOf(view).slot,
});

/** Damaged rows can make an answer that is no JSON, or no answer at all: both are part of what is explained. */
const ask = async (
  views: StoreViews,
  method: string,
  params: unknown,
  request: CallRequest,
): Promise<Outcome> => {
  try {
    const asked = await views.ask(method, params, request);
    return asked.ok ? { ok: true, result: parseLoosely(asked.text) } : asked;
  } catch (error) {
    if (isLamplightError(error) || !(error instanceof Error)) throw error;
    return { ok: false, error: { code: INTERNAL_ERROR, message: "Internal error", data: error.message } };
  }
};

/** JSON-RPC names it. */
const INTERNAL_ERROR = -32_603;

/** With the slots above the finalized one, where the store publishes them. */
const sourceOf = async ({ views }: ExplainedStore, method: string): Promise<ViewSource> => {
  const viewSource = await views.sourceFor(method);
  const { unfinalized } = views.reader;
  return unfinalized === null ? viewSource : new SharedOverlay({ unfinalized, viewSource });
};

interface OpenedView {
  readonly commitment: Commitment;
  readonly view: ReadView;
}

/** An asset that was read by its id. */
interface ReadAsset {
  readonly id: Uint8Array;
  readonly found: AnswerTo<"asset">;
}

class CallRecorder implements ViewSource {
  readonly #source: ViewSource;
  readonly reads: ExplainedRead[] = [];
  readonly statements: ExplainedStatement[] = [];
  opened: OpenedView | null = null;
  /** The first asset that was read by its id: that of getAsset. Other methods read collections so. */
  asset: ReadAsset | null = null;
  #rounds = 0;

  constructor(source: ViewSource) {
    this.#source = source;
  }

  async openView(commitment: Commitment, opening?: Opening): Promise<ReadView> {
    const view = await this.#source.openView(commitment, opening);
    this.opened = { commitment, view };
    return view;
  }

  /** Undefined where the view of the call holds no snapshot, and the store has another state by now. */
  async deriveAsset({ id, found }: ReadAsset): Promise<Derivation | undefined> {
    const { commitment, view } = this.opened!;
    if (finalizedViewOf(view).index !== undefined) return deriveAgain(id, view, found);
    const snapshot = await this.#source.openView(commitment);
    try {
      return isSameState(view, snapshot) ? await deriveAgain(id, snapshot, found) : undefined;
    } finally {
      snapshot.close();
    }
  }

  readonly onStatement = (sql: unknown): void => {
    this.statements.push({ round: this.#rounds, sql: String(sql) });
  };

  readonly onRound: RoundObserver = (reads) => {
    const round = ++this.#rounds;
    const first = this.reads.length;
    for (const read of reads)
      this.reads.push({ round, kind: read.kind, asked: askedFacts(read), found: undefined });
    return (answers) => {
      for (const [index, read] of reads.entries()) {
        const answer = answers[index] as AnswerTo<ReadKind>;
        this.reads[first + index] = { ...this.reads[first + index]!, found: foundFacts(read.kind, answer) };
        this.#noteAsset(read, answer);
      }
    };
  };

  #noteAsset(read: Read, answer: unknown): void {
    if (read.kind === "asset") this.asset ??= { id: read.id, found: answer as AnswerTo<"asset"> };
  }
}

const isSameState = (one: ReadView, other: ReadView): boolean =>
  one.slot === other.slot &&
  finalizedViewOf(one).slot === finalizedViewOf(other).slot &&
  one.terms.changeSeq === other.terms.changeSeq;
