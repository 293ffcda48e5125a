import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type {
  ChainEvent,
  IndexStore,
  LiveStatus,
  ViewSource,
  Slot,
  UnfinalizedWriter,
} from "@lamplight/core";
import { ChainFollower, ForkOverlay, type ForkOverlayOptions } from "@lamplight/indexer";
import { type SearchLife, type SearchStatus, startSearchLife } from "@lamplight/search";
import { type OpenedReader, openStoreForReading } from "../store/open-store.ts";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import type { FollowOptions, YellowstoneUpstream } from "./follow-chain.ts";
import type { UnfinalizedRelay } from "../views/unfinalized-relay.ts";
import { FollowClocks } from "./follow-clocks.ts";
import { logSamples } from "./follow-metrics.ts";
import {
  isSourceBehind,
  YellowstoneProgress,
  yellowstoneSamples,
  type YellowstoneStates,
  yellowstoneStatus,
} from "./yellowstone-status.ts";
import { closeSearch, type Following, type Sample } from "./following.ts";
import { filtersOf } from "./followed-accounts.ts";
import { GapRepairer } from "./gap-repairer.ts";
import { Recovery } from "./recovery.ts";
import { problemWord, type StoreProblem, whenStoreIsThere } from "../store/when-store-is-there.ts";

type YellowstoneOptions = FollowOptions & YellowstoneUpstream;

/** Between two attempts to get a missing slot, from a new stream or an RPC node. */
const RENEW_MS = 15_000;

/** A store that follows a Yellowstone stream: its writer, the slots above the finalized one, and the state of both. */
export class YellowstoneFollowing implements Following {
  /** Views at every commitment. */
  readonly viewSource: ViewSource;
  readonly overlay: ForkOverlay;
  readonly follower: ChainFollower;
  readonly source: YellowstoneSource;
  /** Settles when following ends: well after `stop`, rejected when it cannot go on. */
  readonly ended: Promise<void>;
  readonly #stopping: AbortController;
  readonly #store: IndexStore;
  readonly #reader: OpenedReader;
  readonly #search: SearchLife | null;
  readonly #say: (line: string) => void;
  readonly #recovery: Recovery;
  readonly #clocks: FollowClocks;
  readonly #progress = new YellowstoneProgress();
  /** Whether it was logged that the server is behind the store. */
  #wasBehind = false;
  /** Why the store takes nothing at the moment; null = it does. */
  #storeProblem: StoreProblem | null = null;

  private constructor(
    parts: Pick<YellowstoneFollowing, "overlay" | "follower" | "source"> & {
      readonly stopping: AbortController;
      readonly store: IndexStore;
      readonly reader: OpenedReader;
      readonly search: SearchLife | null;
      readonly say: (line: string) => void;
      readonly recovery: Recovery;
      readonly maxStaleSeconds: number | null;
    },
  ) {
    this.overlay = parts.overlay;
    this.viewSource = parts.overlay;
    this.follower = parts.follower;
    this.source = parts.source;
    this.#stopping = parts.stopping;
    this.#store = parts.store;
    this.#reader = parts.reader;
    this.#search = parts.search;
    this.#say = parts.say;
    this.#recovery = parts.recovery;
    this.#clocks = new FollowClocks(
      () => ({ source: this.source.state.newestSlot, read: this.overlay.state.processedSlot }),
      parts.maxStaleSeconds,
    );
    this.ended = this.#run(parts.source.events());
  }

  /**
   * @param store - open for writing; closed when following ends or cannot begin
   * @throws LamplightError `STORE__…`, `STORE__LOADING` for a store that was never loaded
   */
  static async start(store: IndexStore, options: YellowstoneOptions): Promise<YellowstoneFollowing> {
    const { say } = options;
    let reader: OpenedReader | null = null;
    let search: SearchLife | null = null;
    try {
      const coverage = await store.readCoverage();
      const accounts = filtersOf(coverage);
      reader = await openStoreForReading(options.store, { searchCache: options.searchCache });
      search = options.withSearch
        ? await startSearchLife({
            viewSource: reader,
            file: reader.searchFile,
            onError: (error) => say(`search index cannot follow the store: ${String(error)}`),
          })
        : null;
      const overlay = await ForkOverlay.open({
        store,
        viewSource: search?.viewSource ?? reader,
        ...shownBy(store, options.relay),
        // Closings come as account updates of their own.
        closeFromTransactions: false,
        ignoreUnknownClosings: coverage.kind !== "whole",
        onCommit: (changes, receipt) => {
          options.relay?.noteCommit(changes, receipt);
          void search?.catchUp();
        },
      });
      const stopping = new AbortController();
      const source = new YellowstoneSource({
        url: options.url,
        token: options.token,
        accounts,
        transactionPrograms: [encodeAddress(programAddresses.bubblegum)],
        commitment: options.commitment,
        resumeFrom: () => overlay.state.finalizedSlot + 1,
        signal: stopping.signal,
        callsForever: options.callsForever,
        onProblem: (error) => say(error.message),
      });
      const follower = new ChainFollower({ overlay, onGap: (gap) => recovery.noteGap(gap) });
      const repairer =
        options.repairRpc === null
          ? null
          : new GapRepairer({
              url: options.repairRpc,
              signal: stopping.signal,
              store,
              coverage,
              overlay,
              follower,
              say,
            });
      await repairer?.checkChain();
      const recovery = new Recovery({ follower, source, repairer, say });
      const { maxStaleSeconds = null } = options;
      const parts = { overlay, follower, source, stopping, store, reader, search, say, recovery };
      return new YellowstoneFollowing({ ...parts, maxStaleSeconds });
    } catch (error) {
      await search?.close();
      reader?.close();
      await store.close();
      throw error;
    }
  }

  get finalizedSlot(): Slot {
    return this.overlay.state.finalizedSlot;
  }

  status(): LiveStatus {
    return yellowstoneStatus(this.#states(), problemWord(this.#storeProblem));
  }

  samples(): readonly Sample[] {
    return [...yellowstoneSamples(this.#states()), ...logSamples(this.#store)];
  }

  searchStatus(): SearchStatus | null {
    return this.#search?.status() ?? null;
  }

  progress(): string {
    return this.#progress.line(this.#states());
  }

  /** Ends the stream; what was finalized by then is in the store. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#clocks.close();
    await this.ended.catch(() => undefined);
    this.#recovery.close();
    await closeSearch(this.#search, this.#say);
    this.#reader.close();
    await this.#store.close();
  }

  #states(): YellowstoneStates {
    const { overlay, follower, source } = this;
    return { overlay, follower: follower.state, source: source.state, times: this.#clocks.times };
  }

  async #run(events: AsyncIterable<ChainEvent>): Promise<void> {
    const renewal = setInterval(() => this.#recovery.tryAgain(), RENEW_MS);
    // What was taken in waits to be derived and finalized.
    const goOn = (): Promise<void> => this.follower.goOn();
    const onProblem = (problem: StoreProblem | null): void => void (this.#storeProblem = problem);
    const whenThere = { signal: this.#stopping.signal, say: this.#say, goOn, onProblem };
    try {
      for await (const event of events) {
        // Asked to stop next to a store that takes nothing, it waits for nothing: the source reports all of this again.
        if (!(await whenStoreIsThere(() => this.follower.take(event), whenThere))) return;
        if (event.kind !== "slot") continue;
        this.#reportWhenBehind();
        // Only a status can finalize the chain beyond a gap.
        if (!(await whenStoreIsThere(() => this.#recovery.finish(), whenThere))) return;
      }
    } finally {
      clearInterval(renewal);
    }
  }

  #reportWhenBehind(): void {
    const isBehind = isSourceBehind(this.#states());
    if (isBehind && !this.#wasBehind) {
      const { newestSlot } = this.source.state;
      this.#say(
        `Yellowstone server is at slot ${newestSlot}, behind our finalized slot ${this.finalizedSlot}; waiting`,
      );
    }
    this.#wasBehind = isBehind;
  }
}

/** A store that other processes serve from. */
const isShared = (store: IndexStore): store is IndexStore & UnfinalizedWriter =>
  "publishUnfinalized" in store;

/** Where an overlay shows its slots: in a store that other processes serve from, else to workers, where there are any. */
export const shownBy = (
  store: IndexStore,
  relay: UnfinalizedRelay | null = null,
): Pick<ForkOverlayOptions, "shared"> => {
  if (isShared(store)) return { shared: store };
  return relay === null ? {} : { shared: relay.writerOver(store) };
};
