import type { Slot } from "@lamplight/core";
import type { ChainFollower, ChainGap } from "@lamplight/indexer";
import type { YellowstoneSource } from "@lamplight/sources/yellowstone";
import type { GapRepairer } from "./gap-repairer.ts";
import { RenewalPace } from "./renewal-pace.ts";

export interface RecoveryOptions {
  readonly follower: ChainFollower;
  readonly source: YellowstoneSource;
  /** Null = there is no RPC node to read blocks from. */
  readonly repairer: GapRepairer | null;
  readonly say: (line: string) => void;
  readonly nowMs?: () => number;
}

/**
 * New streams above one finalized slot that did not replay the missing slot. After so many, the server cannot replay
 * it.
 */
const FRUITLESS_STREAMS_MAX = 2;

/**
 * The one policy for slots that a stream lost.
 *
 * 1. Replay: a new stream usually brings the missing slot.
 * 2. Repair by blocks: where the server cannot replay, each new stream would only lose more slots. An RPC node is read.
 * 3. Give up: without an RPC node the running stream is kept, and renewed less and less often. Readiness reports the gap.
 */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #pace: RenewalPace;
  /** The finalized slot below the gap. */
  #finalizedSlot: Slot | null = null;
  /** Numbers of the streams that were renewed above that slot. */
  readonly #ended = new Set<number>();
  /** The stream that was ended last. Ending may take some seconds. */
  #lastEnded: number | null = null;
  #hasHinted = false;
  /** Finalized slot below the gap that was logged last. */
  #loggedAt: Slot | null = null;

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#pace = new RenewalPace(options.nowMs ?? Date.now);
  }

  /** A slot is missing. Later streams may lack other slots as well: above one finalized slot it is one gap, logged once. */
  noteGap({ missing, finalizedSlot }: ChainGap): void {
    if (finalizedSlot !== this.#loggedAt)
      this.#options.say(
        `slot ${missing} is missing above finalized slot ${finalizedSlot}; nothing is finalized here until it arrives`,
      );
    this.#loggedAt = finalizedSlot;
    this.tryAgain();
  }

  /** Merges what was read of a gap, if the chain is finalized that far. The caller calls it between two events. */
  async finish(): Promise<void> {
    await this.#options.repairer?.fillGap();
  }

  close(): void {
    this.#options.repairer?.close();
  }

  /** The caller calls it at intervals. It does nothing while there is no gap. */
  tryAgain(): void {
    const { follower, source, repairer } = this.#options;
    const { gap, needsRestart } = follower.state;
    if (gap === null) return;
    if (gap.finalizedSlot !== this.#finalizedSlot) this.#beginAt(gap.finalizedSlot);
    const { connected, connections, replayRefused } = source.state;
    const isLost = replayRefused || this.#ended.size >= FRUITLESS_STREAMS_MAX;
    if (isLost) this.#hint(gap.finalizedSlot);
    if (isLost && !needsRestart && repairer !== null) {
      repairer.begin();
      return;
    }
    // A stream that has just started may still replay it.
    if (!connected || connections === this.#lastEnded) return;
    if (!this.#pace.mayRenew(isLost)) return;
    this.#lastEnded = connections;
    if (!needsRestart) this.#ended.add(connections);
    source.renew();
  }

  #beginAt(finalizedSlot: Slot): void {
    this.#finalizedSlot = finalizedSlot;
    this.#ended.clear();
    this.#hasHinted = false;
  }

  #hint(finalizedSlot: Slot): void {
    const { repairer, say } = this.#options;
    if (repairer !== null || this.#hasHinted) return;
    this.#hasHinted = true;
    say(
      `the server cannot replay from slot ${finalizedSlot + 1}; set --repair-rpc (LAMPLIGHT_REPAIR_RPC) to backfill from an RPC node, or load a newer ledger snapshot`,
    );
  }
}
