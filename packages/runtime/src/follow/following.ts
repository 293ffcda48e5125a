import {
  type ChainEvent,
  type FillEvent,
  type IndexStore,
  type LiveStatus,
  type NextProgress,
  type Slot,
  SlotRate,
  type ViewSource,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { createIndexer, type Indexer } from "@lamplight/indexer";
import type { SearchStatus } from "@lamplight/search";
import { type StoreProblem, whenStoreAvailable } from "../store/when-store-available.ts";
import type {
  ConnectedSource,
  FittingSource,
  FollowedStore,
  FollowStates,
  LiveChain,
  Sample,
} from "./connected-source.ts";
import type { FollowOptions } from "./follow-options.ts";
import { AssetSamples } from "./asset-samples.ts";
import { deriveAgain, derivedShare } from "./derive-again.ts";
import { fillBetweenSlots } from "./fill-between-slots.ts";
import { FollowClocks } from "./follow-clocks.ts";
import { logSamples } from "./follow-metrics.ts";
import { type OpenedChain, openLive } from "./open-live.ts";

/** Seconds: `Retry-After` of calls while the store is filled. */
const RETRY_AFTER_SECONDS = 5;

/**
 * A store that follows one source of any kind. The source first fills an incomplete store, then it is followed slot
 * by slot.
 */
export class Following {
  /** Settles when following ends: resolved after `stop`, rejected when it cannot continue. */
  readonly ended: Promise<void>;
  readonly #store: IndexStore;
  readonly #say: (line: string) => void;
  readonly #source: ConnectedSource;
  readonly #open: () => Promise<OpenedChain>;
  readonly #indexer: Indexer;
  readonly #stopping: AbortController;
  readonly #inform: (line: string) => void;
  /** Settles when nothing is derived again. */
  #deriving: Promise<void> = Promise.resolve();
  /** Null where assets are not sampled. */
  readonly #samples: AssetSamples | null;
  #sampling: Promise<void> = Promise.resolve();
  #filling: Promise<void> = Promise.resolve();
  readonly #clocks: FollowClocks;
  /** Null until the store is filled. */
  #chain: OpenedChain | null;
  /** The reason why the store rejects writes now; null = it does not. */
  #storeProblem: StoreProblem | null = null;

  private constructor(
    store: IndexStore,
    say: (line: string) => void,
    stopping: AbortController,
    parts: {
      readonly source: ConnectedSource;
      readonly chain: OpenedChain | null;
      readonly open: () => Promise<OpenedChain>;
      readonly rate: SlotRate;
      readonly inform: (line: string) => void;
      readonly derives: boolean;
      readonly samples: boolean;
    },
  ) {
    this.#store = store;
    this.#inform = parts.inform;
    this.#say = say;
    this.#stopping = stopping;
    this.#source = parts.source;
    this.#chain = parts.chain;
    this.#open = parts.open;
    this.#indexer = createIndexer(store, { closeFromTransactions: false, derives: parts.derives });
    const { source, rate } = parts;
    this.#clocks = new FollowClocks(() => source.newestSlots(this.live), source.maxStaleSeconds, rate);
    this.#samples = parts.samples ? new AssetSamples({ signal: stopping.signal, say }) : null;
    if (this.#chain !== null) this.#workBetweenSlots(this.#chain);
    this.ended = this.#run();
    // `ended` reports this failure to its callers.
    this.ended.catch(() => undefined);
  }

  /**
   * @param store - open for writing; closed when following ends or cannot start
   * @param fit - compares the settings of the source with the store
   * @throws LamplightError what `fit` throws; `SOURCE__REFUSED`, `STORE__…`
   */
  static async start(
    store: IndexStore,
    options: FollowOptions,
    fit: (store: FollowedStore) => FittingSource,
  ): Promise<Following> {
    const stopping = new AbortController();
    const rate = new SlotRate();
    let chain: OpenedChain | null = null;
    try {
      const [coverage, watermark] = [await store.readCoverage(), await store.readWatermark()];
      let following: Following | null = null;
      const live = (): LiveChain | null => following?.live ?? chain;
      const { isFilled, ignoreUnknownClosings, connect } = fit({
        store,
        coverage,
        watermark,
        live,
        signal: stopping.signal,
        rate,
      });
      const open = (): Promise<OpenedChain> =>
        openLive(store, { ...options, rate, ignoreUnknownClosings, onGap: (gap) => source.noteGap(gap) });
      if (isFilled) chain = await open();
      const source = await connect();
      const { say, inform = say, derives = true, samples = true } = options;
      const parts = { source, chain, open, rate, inform, derives, samples };
      following = new Following(store, say, stopping, parts);
      return following;
    } catch (error) {
      // The source has started work that goes on otherwise, and keeps the process.
      stopping.abort();
      await chain?.close();
      await store.close();
      throw error;
    }
  }

  /** Views at every commitment; they throw `STORE__LOADING` until the store is filled. */
  get viewSource(): ViewSource {
    return {
      openView: (commitment, opening) => {
        if (this.#chain === null)
          throw new LamplightError("STORE__LOADING", { retryAfterSeconds: RETRY_AFTER_SECONDS });
        return this.#chain.overlay.openView(commitment, opening);
      },
    };
  }

  /** Null until the store is filled. */
  get live(): LiveChain | null {
    return this.#chain;
  }

  /** Null while no slot is finalized. */
  get finalizedSlot(): Slot | null {
    return this.#chain?.overlay.state.finalizedSlot ?? null;
  }

  status(): LiveStatus {
    const { isReady, detail, ...read } = this.#source.status(this.#states());
    const progress = this.#progress;
    const derivation =
      progress === null
        ? {}
        : { derivation: { rules: progress.version, derivedShare: derivedShare(progress) } };
    const differing = this.#samples?.differing ?? 0;
    const sampled = differing === 0 ? {} : { assetsDiffering: differing };
    return { isReady, detail: { ...detail, ...derivation, ...sampled }, ...read };
  }

  get #progress(): NextProgress | null {
    return this.#chain?.overlay.nextProgress ?? null;
  }

  samples(): readonly Sample[] {
    const problem = this.#storeProblem;
    return [
      ...this.#source.samples(this.#states()),
      ["store_problem", "gauge", problem === null ? 0 : 1],
      ["derived_ratio", "gauge", derivedShare(this.#progress)],
      ["sampled_assets_total", "counter", this.#samples?.compared ?? 0],
      ["differing_assets_total", "counter", this.#samples?.differing ?? 0],
      ...logSamples(this.#store),
    ];
  }

  /** Null where there is no search index, or not yet. */
  searchStatus(): SearchStatus | null {
    return this.#chain?.search?.status() ?? null;
  }

  /** A line of text. */
  progress(): string {
    return this.#source.progress(this.#states());
  }

  /** Stops following. The slots that were finalized by then are in the store. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#clocks.close();
    await this.ended.catch(() => undefined);
    await this.#deriving;
    await this.#sampling;
    await this.#filling;
    await this.#chain?.close();
    await this.#store.close();
  }

  #states(): FollowStates {
    return { live: this.live, times: this.#clocks.times, storeProblem: this.#storeProblem };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const onProblem = (problem: StoreProblem | null): void => void (this.#storeProblem = problem);
    try {
      for await (const event of this.#source.events()) {
        const take = (): Promise<void> => this.#take(event);
        // The event is processed, but its slots may not be committed yet. The event itself may be processed twice.
        const goOn = async (): Promise<void> => {
          await this.#chain?.follower.goOn();
          await take();
        };
        // After `stop`, do not wait for a store that rejects writes: the source will report these events again.
        if (!(await whenStoreAvailable(take, { signal, say: this.#say, goOn, onProblem }))) return;
      }
    } finally {
      this.#stopping.abort();
      await this.#source.close();
    }
  }

  #workBetweenSlots(chain: OpenedChain): void {
    this.#deriveAgain(chain);
    this.#fillNodes(chain);
    if (this.#samples !== null)
      this.#sampling = this.#samples.run((assets) => chain.overlay.sampleAssets(assets));
  }

  #deriveAgain({ overlay }: OpenedChain): void {
    const options = { signal: this.#stopping.signal, inform: this.#inform };
    this.#deriving = deriveAgain(() => overlay.fillNext(), options).catch((error: unknown) =>
      this.#say(`deriving again has ended, and begins with the next start: ${String(error)}`),
    );
  }

  #fillNodes({ overlay }: OpenedChain): void {
    const options = { signal: this.#stopping.signal, inform: this.#inform };
    this.#filling = fillBetweenSlots(this.#store, overlay, options).catch((error: unknown) =>
      this.#say(`filling the nodes of trees has ended, and goes on with the next start: ${String(error)}`),
    );
  }

  async #take(event: FillEvent | ChainEvent): Promise<void> {
    switch (event.kind) {
      case "fill":
        await this.#indexer.apply({ ...event, watermark: null });
        return;
      case "filled":
        await this.#source.noteFilled(event.watermark);
        // No reader can be answered yet without a watermark.
        if ((await this.#store.readWatermark()) === null)
          await this.#indexer.applyAccounts([], event.watermark);
        if (this.#chain !== null) return;
        this.#chain = await this.#open();
        this.#workBetweenSlots(this.#chain);
        return;
      default:
        await this.#chain!.follower.take(event);
        await this.#source.noteTaken(event);
    }
  }
}
