import {
  type AnswerTo,
  type Commitment,
  type CallContext,
  createMethodSettings,
  type Profile,
  type Read,
  type ReadKind,
  type ReadView,
  RequestViews,
  type RoundObserver,
  type ViewSource,
} from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { finalizedViewOf, SharedOverlay } from "@lamplight/indexer";
import { apiVersion } from "@lamplight/server/command";
import type { Outcome } from "@lamplight/sources/endpoint";
import { askMethod, notesOf, type StoreViews } from "../endpoint/store-views.ts";
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
  /** Only for an asset that was asked for by its id. */
  readonly derivation: Derivation | null;
}

export interface ExplainedStore {
  readonly views: StoreViews;
  readonly profile: Profile;
  /** Asset methods read at this one, because their calls name none. */
  readonly assetCommitment: Commitment;
}

/** @throws LamplightError of the STORE family */
export const explainCall = async (
  store: ExplainedStore,
  method: string,
  params: unknown,
): Promise<ExplainedCall> => {
  const recorder = new CallRecorder(await sourceOf(store, method));
  const views = new RequestViews(recorder);
  try {
    const { profile, assetCommitment } = store;
    const settings = createMethodSettings({ apiVersion, assetCommitment });
    const outcome = await ask(method, params, { views, profile, settings, onRound: recorder.onRound });
    const { opened, asset, reads } = recorder;
    return {
      outcome,
      at: opened === null ? null : slotsOf(opened),
      notes: notesOf(views),
      reads,
      derivation:
        method !== "getAsset" || opened === null || asset === null
          ? null
          : await deriveAgain(asset.id, opened.view, asset.found),
    };
  } finally {
    views.close();
  }
};

const slotsOf = ({ commitment, view }: OpenedView): NonNullable<ExplainedCall["at"]> => ({
  commitment,
  slot: view.slot,
  finalizedSlot: finalizedViewOf(view).slot,
});

/** Damaged rows can make an answer that is no JSON, or no answer at all: both are part of what is explained. */
const ask = async (method: string, params: unknown, context: CallContext): Promise<Outcome> => {
  try {
    const asked = await askMethod(method, params, context);
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

class CallRecorder implements ViewSource {
  readonly #source: ViewSource;
  readonly reads: ExplainedRead[] = [];
  opened: OpenedView | null = null;
  /** The first asset that was read by its id: that of getAsset. Other methods read collections so. */
  asset: { readonly id: Uint8Array; readonly found: AnswerTo<"asset"> } | null = null;
  #rounds = 0;

  constructor(source: ViewSource) {
    this.#source = source;
  }

  async openView(commitment: Commitment): Promise<ReadView> {
    const view = await this.#source.openView(commitment);
    this.opened = { commitment, view };
    return view;
  }

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
