import type { Slot } from "@lamplight/core";
import type { ChainFollower } from "@lamplight/indexer";
import type { YellowstoneSource } from "@lamplight/sources/yellowstone";
import type { GapRepairer } from "./gap-repairer.ts";
import { RenewalPace } from "./renewal-pace.ts";

export interface GapMenderOptions {
  readonly follower: ChainFollower;
  readonly source: YellowstoneSource;
  /** Null = there is no node to ask. */
  readonly repairer: GapRepairer | null;
  readonly say: (line: string) => void;
  readonly nowMs?: () => number;
}

/** Streams that were renewed above one finalized slot in vain: then the server cannot replay what is missing. */
const FRUITLESS_STREAMS_MAX = 2;

/**
 * Handles a missing slot. A new stream usually replays it. Where the server cannot, each new stream would only lose more
 * slots: an RPC node is read, if there is one; else the running stream is kept and renewed ever more seldom.
 */
export class GapMender {
  readonly #options: GapMenderOptions;
  readonly #pace: RenewalPace;
  /** The finalized slot below the gap. */
  #finalizedSlot: Slot | null = null;
  /** Numbers of the streams that were renewed above that slot. */
  readonly #ended = new Set<number>();
  /** The stream that was ended last; it may take some seconds to end. */
  #lastEnded: number | null = null;
  #hasHinted = false;

  constructor(options: GapMenderOptions) {
    this.#options = options;
    this.#pace = new RenewalPace(options.nowMs ?? Date.now);
  }

  /** To be called when a slot is missing, and again now and then while it is. */
  mend(): void {
    const { follower, source, repairer } = this.#options;
    const { gap, wantsRestart } = follower.state;
    if (gap === null) return;
    if (gap.finalizedSlot !== this.#finalizedSlot) this.#beginAt(gap.finalizedSlot);
    const { connected, connections, replayRefused } = source.state;
    const isLost = replayRefused || this.#ended.size >= FRUITLESS_STREAMS_MAX;
    if (isLost) this.#hint(gap.finalizedSlot);
    if (isLost && !wantsRestart && repairer !== null) {
      repairer.begin();
      return;
    }
    // A stream that has not reported anything yet may still bring it.
    if (!connected || connections === this.#lastEnded) return;
    if (!this.#pace.mayRenew(isLost)) return;
    this.#lastEnded = connections;
    if (!wantsRestart) this.#ended.add(connections);
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
