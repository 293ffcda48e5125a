import {
  judgeServing,
  type LiveStatus,
  type ViewSource,
  type ReadView,
  type ServingVerdict,
  shareDone,
  SlotClock,
  type StoreTrouble,
} from "@lamplight/core";
import { type ErrorCode, isLamplightError } from "@lamplight/errors";

import type { Log } from "../log/log.ts";
import type { StoreDamage } from "../readiness/store-damage.ts";

/** Trees listed one by one in a readiness answer; their number is always given. */
const TREES_SHOWN_MAX = 100;
/** Time for which one answer is given to every caller. */
const KEPT_MS = 1000;
/** A probe is answered with what was read last where reading takes longer. */
const WAIT_MS = 1000;

export interface ReadinessAnswer {
  readonly isReady: boolean;
  /** For everybody: status, slot and reason. */
  readonly body: string;
  /** For callers with a key: coverage, trees, search index and following too. */
  readonly fullBody: string;
}

/** Alive: the process answers. */
export const livenessBody = JSON.stringify({ status: "alive" });

/** The state of the search index in memory: whether it is still being filled, and what it takes. */
export interface SearchReport {
  readonly isFilling: boolean;
  /** Whether searchAssets is refused until the index is filled or has caught up. */
  readonly isRefused?: boolean;
  readonly changeSeq: number;
  readonly assets: number;
  readonly terms: number;
  readonly columnBytes: number;
  readonly orderBytes: number;
  readonly termBytes: number;
}

export interface ReadinessParts {
  readonly viewSource: ViewSource;
  readonly isDraining: () => boolean;
  /** Null where this process follows no chain. */
  readonly liveStatus: (() => LiveStatus | Promise<LiveStatus>) | null;
  /** Null where no search index is kept in memory. */
  readonly searchStatus: (() => SearchReport | null) | null;
  /** Not ready once no new slot could be read for so long; null = the age of the store does not matter. */
  readonly maxStaleSeconds: number | null;
  /** Damage of the store that calls have met. */
  readonly damage: StoreDamage;
  readonly log: Log;
}

/** The part of the store's state that readiness depends on; null = it cannot be read. */
type ReadStore = Pick<ReadView, "slot" | "coverage" | "incompleteTrees" | "derivation">;

/**
 * Whether the store can be read and is in sync. Probes never wait for callers' read views: at most one view is opened a
 * second, in addition to those that callers share, and all callers in the meantime get the same answer.
 */
export class Readiness {
  readonly #parts: ReadinessParts;
  #last: ReadinessAnswer | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<ReadinessAnswer> | null = null;
  readonly #clock = new SlotClock();
  /** The state that was read last; null = it could not be read. */
  #store: ReadStore | null = null;
  /** The reason why the store could not be read, as it was logged last. */
  #loggedTrouble: StoreTrouble | null = null;
  readonly #timer: NodeJS.Timeout | null;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
    // Without probes, no other code would notice when the slot last advanced.
    const needsClock = parts.maxStaleSeconds !== null && parts.liveStatus === null;
    this.#timer = needsClock ? setInterval(() => void this.answer(), KEPT_MS).unref() : null;
  }

  close(): void {
    clearInterval(this.#timer ?? undefined);
  }

  async answer(): Promise<ReadinessAnswer> {
    if (this.#parts.isDraining()) return stoppingAnswer;
    if (this.#last !== null && performance.now() - this.#readAtMs < KEPT_MS) return this.#last;
    this.#reading ??= this.#read();
    const last = this.#last;
    if (last === null) return this.#reading;
    let timer: NodeJS.Timeout | null = null;
    const waited = new Promise<ReadinessAnswer>((resolve) => {
      timer = setTimeout(() => resolve(last), WAIT_MS);
    });
    return Promise.race([this.#reading, waited]).finally(() => clearTimeout(timer!));
  }

  async #read(): Promise<ReadinessAnswer> {
    try {
      this.#last = await this.#judge();
      this.#readAtMs = performance.now();
      return this.#last;
    } finally {
      this.#reading = null;
    }
  }

  async #judge(): Promise<ReadinessAnswer> {
    const { isDraining, liveStatus, searchStatus, maxStaleSeconds, damage } = this.#parts;
    const found = await this.#readStore();
    const isRead = typeof found !== "string";
    const store = isRead ? found : null;
    this.#store = store;
    const live = (await liveStatus?.()) ?? null;
    const search = searchStatus?.() ?? null;
    this.#clock.note(store?.slot ?? null);
    const verdict = judgeServing({
      isStopping: isDraining(),
      storeTrouble: damage.isFound ? "damaged" : isRead ? null : found,
      follow: live === null ? null : { isReady: live.isReady, status: statusOf(live) },
      read: live?.read ?? this.#clock.newest,
      maxStaleSeconds,
      isSearchRefused: search?.isRefused ?? false,
    });
    const follow = live === null ? {} : { follow: live.detail };
    return answerOf(verdict, store, { ...shownStore(store), ...follow, ...shownSearch(search) });
  }

  async #readStore(): Promise<ReadStore | StoreTrouble> {
    const { viewSource, damage } = this.#parts;
    try {
      const view = await viewSource.openView("finalized");
      const { slot, coverage, incompleteTrees, derivation } = view;
      view.close();
      this.#loggedTrouble = null;
      return { slot, coverage, incompleteTrees, ...(derivation && { derivation }) };
    } catch (error) {
      // Callers hold all views, or the finalized slot moves all the time: the store can be read.
      const isBusy = isLamplightError(error, "STORE__BUSY") || isLamplightError(error, "SERVER__BUSY");
      if (isBusy && this.#store !== null) return this.#store;
      damage.note(error);
      const trouble = troubleOf(error);
      if (trouble !== "loading" && trouble !== this.#loggedTrouble) this.#logTrouble(error, trouble);
      return trouble;
    }
  }

  /** Once, however often it is asked. */
  #logTrouble(error: unknown, trouble: StoreTrouble): void {
    const { log, damage } = this.#parts;
    this.#loggedTrouble = trouble;
    if (trouble === "unreachable") log.warn({ err: error }, "readiness could not be read");
    else if (!damage.isFound) log.error({ err: error }, "readiness could not be read");
  }
}

const troubles: Readonly<Partial<Record<ErrorCode, StoreTrouble>>> = {
  STORE__LOADING: "loading",
  STORE__UNREACHABLE: "unreachable",
  STORE__REPLACED: "replaced",
  STORE__CORRUPT: "damaged",
};

const troubleOf = (error: unknown): StoreTrouble =>
  (isLamplightError(error) ? troubles[error.code] : undefined) ?? "unreadable";

const answerOf = (
  { isReady, status, reason }: ServingVerdict,
  store: ReadStore | null,
  more: object = {},
): ReadinessAnswer => {
  const short = {
    status,
    ...(store === null ? {} : { slot: store.slot }),
    ...(reason === null ? {} : { reason }),
  };
  return { isReady, body: JSON.stringify(short), fullBody: JSON.stringify({ ...short, ...more }) };
};

const shownStore = (store: ReadStore | null): object => {
  if (store === null) return {};
  const { coverage, incompleteTrees, derivation } = store;
  const shown = incompleteTrees.slice(0, TREES_SHOWN_MAX);
  const next = derivation?.next ?? null;
  return {
    coverage,
    incompleteTreeCount: incompleteTrees.length,
    incompleteTrees: shown,
    // Answers are of the rules before until the share is 1.
    ...(next !== null && { derivation: { rules: next.version, derivedShare: shareDone(next) } }),
  };
};

const shownSearch = (search: SearchReport | null): object => {
  if (search === null) return {};
  const { isFilling, isRefused: _, ...rest } = search;
  return { search: { status: isFilling ? "filling" : "ready", ...rest } };
};

const statusOf = ({ detail }: LiveStatus): string =>
  typeof detail["status"] === "string" ? detail["status"] : "the chain is not followed";

const stoppingAnswer: ReadinessAnswer = answerOf({ isReady: false, status: "stopping", reason: null }, null);
