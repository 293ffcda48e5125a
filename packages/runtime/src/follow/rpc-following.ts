import {
  type ChainEvent,
  type FillEvent,
  FOLLOWED_STALE_SECONDS_MAX,
  type IndexStore,
  type LiveStatus,
  type ViewSource,
  type Slot,
  type Watermark,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  ChainFollower,
  createIndexer,
  ForkOverlay,
  type Indexer,
  readStoredAccounts,
  readTreeSlot,
} from "@lamplight/indexer";
import { type SearchLife, type SearchStatus, startSearchLife } from "@lamplight/search";
import { type OpenedReader, openStoreForReading } from "../store/open-store.ts";
import { type RpcBase, RpcSource } from "@lamplight/sources/rpc";
import { shownBy } from "./yellowstone-following.ts";
import { coverageOf, type FollowScope, scopeOf } from "./rpc-coverage.ts";
import { newestRpcSlot, rpcProgress, rpcSamples, rpcStatus } from "./rpc-status.ts";
import type { FollowOptions, RpcUpstream } from "./follow-chain.ts";
import { FollowClocks } from "./follow-clocks.ts";
import { logSamples } from "./follow-metrics.ts";
import { createProgress, type Progress } from "../process/progress.ts";
import { closeSearch, type Following, type Sample } from "./following.ts";
import { knownChainOf } from "./known-chain.ts";
import { problemWord, type StoreProblem, whenStoreIsThere } from "../store/when-store-is-there.ts";

type RpcFollowingOptions = FollowOptions & RpcUpstream;

/** Seconds: `Retry-After` of calls while the store is filled. */
const retryAfterSeconds = 5;

/** One store that follows one RPC node: filled first where it lacks something, then slot by slot. */
export class RpcFollowing implements Following {
  readonly source: RpcSource;
  readonly ended: Promise<void>;
  readonly #options: RpcFollowingOptions;
  readonly #store: IndexStore;
  readonly #scope: FollowScope;
  /** Where the store was at the start. */
  readonly #watermark: Watermark | null;
  /** Whether what is followed is more than the store covers. */
  #owesCoverage = false;
  /** Of the programs that were found, when the coverage was written last. */
  #coveredRevision = -1;
  readonly #indexer: Indexer;
  readonly #stopping: AbortController;
  readonly #filling: Progress;
  readonly #clocks: FollowClocks;
  #reader: OpenedReader | null = null;
  #search: SearchLife | null = null;
  #overlay: ForkOverlay | null = null;
  #follower: ChainFollower | null = null;
  /** Why the store takes nothing at the moment; null = it does. */
  #storeProblem: StoreProblem | null = null;

  private constructor(
    store: IndexStore,
    options: RpcFollowingOptions,
    scope: FollowScope,
    base: Pick<RpcBase, "watermark" | "isWhole" | "chain">,
  ) {
    this.#store = store;
    this.#options = options;
    this.#scope = scope;
    const { watermark } = base;
    this.#watermark = watermark;
    this.#stopping = new AbortController();
    this.#indexer = createIndexer(store, { closeFromTransactions: false });
    this.#filling = createProgress("accounts", options.output);
    const { url, socketUrl, rescanMs, pollMs, say } = options;
    // Every message begins on a line of its own.
    const saidApart =
      (emit: (line: string) => void) =>
      (line: string): void => {
        this.#filling.end();
        emit(line);
      };
    this.source = new RpcSource({
      url,
      socketUrl,
      targets: scope.targets,
      base: {
        ...base,
        lacking: scope.lacking,
        readAccounts: () => readStoredAccounts(store),
        readTreeSlot: async (tree) => readTreeSlot(store, tree, (await store.readWatermark())?.slot ?? 0),
      },
      signal: this.#stopping.signal,
      callsForever: options.callsForever && watermark !== null,
      isHeld: () => this.#overlay?.isStalled ?? false,
      onProblem: ({ message }) => saidApart(say)(message),
      say: saidApart(options.inform ?? say),
      onProgress: (progress) => this.#filling.update(progress),
      ...(rescanMs === null ? {} : { rescanMs }),
      ...(pollMs === null ? {} : { pollMs }),
    });
    this.#clocks = new FollowClocks(
      () => ({ source: newestRpcSlot(this.source.state), read: this.#overlay?.state.confirmedSlot ?? null }),
      staleSecondsOf(options),
    );
    this.ended = this.#run(watermark !== null && scope.lacking === null);
    // Anyone who waits for the end hears of it.
    this.ended.catch(() => undefined);
  }

  /**
   * @param store - open for writing; closed when following ends or cannot begin
   * @throws LamplightError `CLI__USAGE`, `STORE__…`
   */
  static async start(store: IndexStore, options: RpcFollowingOptions): Promise<RpcFollowing> {
    try {
      const [coverage, watermark] = [await store.readCoverage(), await store.readWatermark()];
      const scope = scopeOf(coverage, options.targets, watermark === null);
      const isWhole = coverage.kind === "whole";
      return new RpcFollowing(store, options, scope, {
        watermark,
        isWhole,
        chain: await knownChainOf(store),
      });
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Its views throw `STORE__LOADING` until the store is filled. */
  get viewSource(): ViewSource {
    return {
      openView: (commitment, only) => {
        if (this.#overlay === null) throw new LamplightError("STORE__LOADING", { retryAfterSeconds });
        return this.#overlay.openView(commitment, only);
      },
    };
  }

  get overlay(): ForkOverlay | null {
    return this.#overlay;
  }

  get finalizedSlot(): Slot | null {
    return this.#overlay?.state.finalizedSlot ?? null;
  }

  status(): LiveStatus {
    const hasGap = (this.#follower?.state.gap ?? null) !== null;
    const facts = { storeProblem: problemWord(this.#storeProblem), hasGap };
    return rpcStatus(this.source.state, this.#overlay, this.#clocks.times, facts);
  }

  samples(): readonly Sample[] {
    return [...rpcSamples(this.source.state, this.#overlay, this.#clocks.times), ...logSamples(this.#store)];
  }

  searchStatus(): SearchStatus | null {
    return this.#search?.status() ?? null;
  }

  progress(): string {
    return rpcProgress(this.source.state, this.#overlay);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#clocks.close();
    await this.ended.catch(() => undefined);
    await closeSearch(this.#search, this.#options.say);
    this.#reader?.close();
    await this.#store.close();
  }

  async #run(isFilled: boolean): Promise<void> {
    if (isFilled) await this.#open();
    // Every event may be taken twice.
    const onProblem = (problem: StoreProblem | null): void => void (this.#storeProblem = problem);
    const whenThere = { signal: this.#stopping.signal, say: this.#options.say, onProblem };
    for await (const event of this.source.events())
      if (!(await whenStoreIsThere(() => this.#take(event), whenThere))) return;
  }

  async #take(event: FillEvent | ChainEvent): Promise<void> {
    switch (event.kind) {
      case "fill":
        await this.#indexer.apply({ ...event, watermark: null });
        return;
      case "filled":
        (this.#options.inform ?? this.#options.say)(`filled as of slot ${event.watermark.slot}`);
        if (this.#watermark === null) {
          // Without a watermark no reader is answered yet.
          await this.#writeCoverage(event.watermark.slot);
          await this.#indexer.applyAccounts([], event.watermark);
        } else this.#owesCoverage = true;
        return this.#open();
      default:
        await this.#follower!.take(event);
        // From a finalized slot on all of it is of one slot; before, it could only be promised for parts.
        if (event.kind === "slot" && event.status === "finalized") await this.#keepCoverage(event.slot);
    }
  }

  async #keepCoverage(slot: Slot): Promise<void> {
    const { everyProgram = false } = this.#scope.targets;
    const hasFound = everyProgram && this.source.programs.revision !== this.#coveredRevision;
    if (this.#owesCoverage || hasFound) await this.#writeCoverage(slot);
  }

  async #writeCoverage(slot: Slot): Promise<void> {
    const { revision } = this.source.programs;
    await this.#store.writeCoverage(coverageOf(this.#scope.targets, this.source, slot));
    this.#owesCoverage = false;
    this.#coveredRevision = revision;
  }

  async #open(): Promise<void> {
    const { store, withSearch, searchCache, relay = null } = this.#options;
    this.#reader ??= await openStoreForReading(store, { searchCache });
    if (withSearch) {
      this.#search ??= await startSearchLife({ viewSource: this.#reader, file: this.#reader.searchFile });
    }
    this.#overlay = await ForkOverlay.open({
      store: this.#store,
      viewSource: this.#search?.viewSource ?? this.#reader,
      ...shownBy(this.#store, relay),
      // Closings are found by the full rescan.
      closeFromTransactions: false,
      onCommit: (changes, receipt) => {
        relay?.noteCommit(changes, receipt);
        void this.#search?.catchUp();
      },
    });
    this.#follower = new ChainFollower({ overlay: this.#overlay });
  }
}

/** Slots come by rounds from a node that is polled slowly. */
const staleSecondsOf = ({
  maxStaleSeconds = null,
  socketUrl,
  pollMs,
}: RpcFollowingOptions): number | null => {
  if (maxStaleSeconds !== null || socketUrl !== null || pollMs === null) return maxStaleSeconds;
  return Math.max(FOLLOWED_STALE_SECONDS_MAX, (3 * pollMs) / 1000);
};
