import type { Coverage, GapFilling, IndexStore, SlotRate } from "@lamplight/core";
import type { ChainFollower, ChainGap, ForkOverlay } from "@lamplight/indexer";
import { isLamplightError } from "@lamplight/errors";
import { GapReader } from "@lamplight/sources/yellowstone";
import { accountsToEmit } from "./gap-accounts.ts";
import { knownChainOf } from "./known-chain.ts";

export interface GapRepairerOptions {
  /** URL of an ordinary RPC node. */
  readonly url: string;
  readonly store: IndexStore;
  /** It may change. */
  readonly coverage: () => Coverage;
  readonly overlay: ForkOverlay;
  readonly follower: ChainFollower;
  readonly signal: AbortSignal;
  readonly rate: SlotRate;
  readonly say: (line: string) => void;
  readonly nowMs?: () => number;
}

/** The wait after a failed reading. It doubles with each failure in a row. */
const RETRY_MS_FIRST = 1000;
const RETRY_MS_MAX = 60_000;

/** A reading may wait so long until the stream is finalized that far. Then it is read again. */
const FILLING_MS_MAX = 120_000;

/** The start waits so long for the genesis hash of the node. */
const CHAIN_MS_MAX = 15_000;

/** Counts since the start. */
export interface RepairCounts {
  /** Gaps that were filled. */
  readonly repaired: number;
  /** Readings that failed. */
  readonly failed: number;
}

/** Fills gaps that a stream cannot replay, from the blocks of an RPC node. */
export class GapRepairer {
  readonly #options: GapRepairerOptions;
  readonly #reader: GapReader;
  #isReading = false;
  #filling: GapFilling | null = null;
  #readMs = 0;
  /** Failed readings in a row. */
  #failures = 0;
  #failedMs = 0;
  readonly #counts = { repaired: 0, failed: 0 };
  readonly #nowMs: () => number;
  /** Whether the node is known to be of the store's chain. */
  #isSameChain = false;

  /** @throws LamplightError `CLI__USAGE` for an invalid URL */
  constructor(options: GapRepairerOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? Date.now;
    const { url, signal, rate, coverage, store, overlay } = options;
    this.#reader = new GapReader({
      url,
      signal,
      rate,
      select: (accounts) => accountsToEmit(accounts, coverage(), store, overlay.fill.keepsClosings),
    });
  }

  /**
   * Refuses a node of another chain. If it does not answer now, its chain is checked again before the first read.
   *
   * @throws LamplightError `SOURCE__REFUSED`
   */
  async checkChain(): Promise<void> {
    try {
      await this.#assertSameChain(AbortSignal.timeout(CHAIN_MS_MAX));
    } catch (error) {
      if (isLamplightError(error, "SOURCE__REFUSED")) throw error;
      this.#options.say(`the chain of the RPC node could not be checked: ${(error as Error).message}`);
    }
  }

  /** Starts to read what is missing, unless a reading runs or has just failed. */
  begin(): void {
    const { follower, overlay, say } = this.#options;
    const { gap } = follower.state;
    if (gap === null || this.#isReading || this.#hasJustFailed() || this.#isWaiting(gap)) return;
    const { finalizedSlot } = overlay.state;
    const slots = {
      finalizedSlot,
      finalizedBlockhash: overlay.blockhashOf(finalizedSlot) ?? null,
      through: gap.missing,
    };
    this.#isReading = true;
    const first = this.#reader.firstOf(slots);
    const what = first > gap.missing ? "the written accounts again" : `slots ${first} to ${gap.missing}`;
    say(`reading ${what} from the RPC node`);
    this.#read(slots)
      .catch((error: unknown) => {
        this.#failures += 1;
        this.#counts.failed += 1;
        this.#failedMs = this.#nowMs();
        if (!this.#options.signal.aborted)
          say(`${(error as Error).message}; trying again. Loading a newer ledger snapshot also helps`);
      })
      .finally(() => {
        this.#isReading = false;
      });
  }

  get counts(): RepairCounts {
    return { ...this.#counts };
  }

  /** Accounts in memory that were read. */
  get keptAccounts(): number {
    return Math.max(this.#reader.keptAccounts, this.#filling?.accounts.length ?? 0);
  }

  /** Merges what was read as soon as the stream is finalized that far. The caller calls it between two events. */
  async fillGap(): Promise<void> {
    const filling = this.#filling;
    if (filling === null) return;
    const { follower, overlay, say } = this.#options;
    const isPassed = overlay.state.finalizedSlot > filling.finalizedSlot;
    if (!isPassed && !(await follower.fillGap(filling))) return;
    this.#filling = null;
    this.#reader.forget();
    if (overlay.state.finalizedSlot < filling.through) return;
    this.#counts.repaired += 1;
    say(`the gap up to slot ${filling.through} is repaired`);
  }

  close(): void {
    this.#reader.close();
  }

  /** More slots were lost in the meantime, so what was read is too old. */
  #isWaiting({ finalizedSlot, missing }: ChainGap): boolean {
    const isSame = this.#filling?.finalizedSlot === finalizedSlot && this.#filling.through === missing;
    return isSame && this.#nowMs() - this.#readMs < FILLING_MS_MAX;
  }

  /** Do not call a node that fails at once as fast as it fails. */
  #hasJustFailed(): boolean {
    if (this.#failures === 0) return false;
    const waitMs = Math.min(RETRY_MS_FIRST * 2 ** (this.#failures - 1), RETRY_MS_MAX);
    return this.#nowMs() - this.#failedMs < waitMs;
  }

  async #assertSameChain(signal: AbortSignal): Promise<void> {
    if (this.#isSameChain) return;
    const { store } = this.#options;
    const [watermark, chain] = [await store.readWatermark(), await knownChainOf(store)];
    await this.#reader.assertSameChain({ watermark, chain }, signal);
    this.#isSameChain = true;
  }

  async #read(gap: Parameters<GapReader["read"]>[0]): Promise<void> {
    await this.#assertSameChain(this.#options.signal);
    this.#filling = await this.#reader.read(gap);
    this.#readMs = this.#nowMs();
    this.#failures = 0;
  }
}
