import type { ConfirmedEvent, IndexStore, Readable, Slot, Watermark } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import {
  ConfirmedFollower,
  createIndexer,
  ForkOverlay,
  type Indexer,
  readStoredAccounts,
  readTreeSlot,
  type SearchLife,
  type SearchStatus,
  startSearchLife,
} from "@lamplight/indexer";
import type { LiveStatus } from "@lamplight/server";
import { type OpenedReader, openStoreForReading } from "@lamplight/server/command";
import { RpcSource } from "@lamplight/sources";
import { isShared } from "./follow-live.ts";
import { type FollowScope, scopeOf } from "./follow-rpc-coverage.ts";
import type { RpcFlags } from "./follow-rpc-flags.ts";
import { rpcProgress, rpcSamples, rpcStatus } from "./follow-rpc-status.ts";
import { logSamples } from "./follow-metrics.ts";
import { createProgress, type Progress, type ProgressOutput } from "../progress.ts";
import type { Following, Sample } from "./following.ts";
import { statusBesideStore, type StoreProblem, whenStoreIsThere } from "./when-store-is-there.ts";

export interface RpcFollowingOptions extends RpcFlags {
  /** URL of the store. */
  readonly store: string;
  /** Whether views are served in this process: then search is answered from an index in memory. */
  readonly withSearch: boolean;
  /** What goes wrong. */
  readonly say: (line: string) => void;
  /** What goes on; default: as what goes wrong. */
  readonly inform?: (line: string) => void;
  /** Where it is told how far a filling is: a line rewritten in place on a terminal, else JSON lines; default stderr. */
  readonly output?: ProgressOutput;
}

/** Told to whoever calls while the store is filled. */
const retryAfterSeconds = 5;

/** One store that follows one RPC node: filled first where it lacks something, then slot by slot. */
export class RpcFollowing implements Following {
  readonly source: RpcSource;
  readonly ended: Promise<void>;
  readonly #options: RpcFollowingOptions;
  readonly #store: IndexStore;
  readonly #scope: FollowScope;
  /** Where the store stood at the start. */
  readonly #watermark: Watermark | null;
  /** Whether what is followed is more than the store says it covers. */
  #owesCoverage = false;
  readonly #indexer: Indexer;
  readonly #stopping: AbortController;
  readonly #filling: Progress;
  #reader: OpenedReader | null = null;
  #search: SearchLife | null = null;
  #overlay: ForkOverlay | null = null;
  #follower: ConfirmedFollower | null = null;
  /** Why the store takes nothing at the moment; null = it does. */
  #storeProblem: StoreProblem | null = null;

  private constructor(
    store: IndexStore,
    options: RpcFollowingOptions,
    scope: FollowScope,
    watermark: Watermark | null,
  ) {
    this.#store = store;
    this.#options = options;
    this.#scope = scope;
    this.#watermark = watermark;
    this.#stopping = new AbortController();
    this.#indexer = createIndexer(store, { closeFromTransactions: false });
    this.#filling = createProgress("accounts", options.output);
    const { url, socketUrl, censusMs, pollMs, say } = options;
    // Whatever is said begins on a line of its own.
    const saidApart =
      (tell: (line: string) => void) =>
      (line: string): void => {
        this.#filling.end();
        tell(line);
      };
    this.source = new RpcSource({
      url,
      socketUrl,
      targets: scope.targets,
      base: {
        watermark,
        lacking: scope.lacking,
        readAccounts: () => readStoredAccounts(store),
        readTreeSlot: async (tree) => readTreeSlot(store, tree, (await store.readWatermark())?.slot ?? 0),
      },
      signal: this.#stopping.signal,
      isHeld: () => this.#overlay?.isStalled ?? false,
      onProblem: ({ message }) => saidApart(say)(message),
      say: saidApart(options.inform ?? say),
      onProgress: (progress) => this.#filling.update(progress),
      ...(censusMs === null ? {} : { censusMs }),
      ...(pollMs === null ? {} : { pollMs }),
    });
    this.ended = this.#run(watermark !== null && scope.lacking === null);
    // Whoever waits for the end hears of it.
    this.ended.catch(() => undefined);
  }

  /**
   * @param store - open for writing; closed when following ends or cannot begin
   * @throws LamplightError `CLI__USAGE`, `STORE__…`
   */
  static async start(store: IndexStore, options: RpcFollowingOptions): Promise<RpcFollowing> {
    try {
      const scope = scopeOf(await store.readCoverage(), options.targets);
      return new RpcFollowing(store, options, scope, await store.readWatermark());
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** Its views throw `STORE__LOADING` until the store is filled. */
  get readable(): Readable {
    return {
      openView: (commitment) => {
        if (this.#overlay === null) throw new LamplightError("STORE__LOADING", { retryAfterSeconds });
        return this.#overlay.openView(commitment);
      },
    };
  }

  get overlay(): ForkOverlay | null {
    return this.#overlay;
  }

  get rootedSlot(): Slot | null {
    return this.#overlay?.state.rootedSlot ?? null;
  }

  status(): LiveStatus {
    return statusBesideStore(rpcStatus(this.source.state, this.#overlay), this.#storeProblem);
  }

  samples(): readonly Sample[] {
    return [...rpcSamples(this.source.state, this.#overlay), ...logSamples(this.#store)];
  }

  searchStatus(): SearchStatus | null {
    return this.#search?.status() ?? null;
  }

  progress(): string {
    return rpcProgress(this.source.state, this.#overlay);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.ended.catch(() => undefined);
    await this.#search?.close();
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

  async #take(event: ConfirmedEvent): Promise<void> {
    switch (event.kind) {
      case "fill":
        await this.#indexer.apply({ ...event, watermark: null });
        return;
      case "filled":
        (this.#options.inform ?? this.#options.say)(`filled as of slot ${event.watermark.slot}`);
        if (this.#watermark === null) {
          await this.#indexer.applyAccounts([], event.watermark);
          await this.#store.writeCoverage(this.#scope.coverage);
        } else this.#owesCoverage = true;
        return this.#open();
      default:
        await this.#follower!.take(event);
        if (event.kind === "finalized" && this.#owesCoverage) {
          // From here on all of it is of one slot; before, it could only be promised for parts.
          await this.#store.writeCoverage(this.#scope.coverage);
          this.#owesCoverage = false;
        }
    }
  }

  async #open(): Promise<void> {
    const { store, withSearch } = this.#options;
    this.#reader ??= await openStoreForReading(store);
    if (withSearch) {
      this.#search ??= await startSearchLife({ readable: this.#reader, file: this.#reader.searchFile });
    }
    this.#overlay = await ForkOverlay.open({
      store: this.#store,
      readable: this.#search?.readable ?? this.#reader,
      ...(isShared(this.#store) ? { shared: this.#store } : {}),
      // Closings are found by the census.
      closeFromTransactions: false,
      onCommit: () => void this.#search?.catchUp(),
    });
    this.#follower = new ConfirmedFollower(this.#overlay);
  }
}
