import type { Slot } from "@lamplight/core";
import type { ChainFollower } from "@lamplight/indexer";
import type { YellowstoneSource } from "@lamplight/sources";
import type { HoleRepairer } from "./hole-repairer.ts";

export interface GapMenderOptions {
  readonly follower: ChainFollower;
  readonly source: YellowstoneSource;
  /** Null = there is no node to ask. */
  readonly repairer: HoleRepairer | null;
  readonly say: (line: string) => void;
}

/** Streams that were begun anew above one root, and left the gap as it was: then the server has not what is missing. */
const FRUITLESS_STREAMS_MAX = 2;

/**
 * What is done about a missing slot: a new stream replays it. A server that cannot, and says so or just does not, would
 * only lose more; then an RPC node is asked, where there is one.
 */
export class GapMender {
  readonly #options: GapMenderOptions;
  /** Above which streams were begun anew in vain. */
  #rootedSlot: Slot | null = null;
  /** Numbers of the streams that were ended for it. */
  readonly #ended = new Set<number>();
  #hasHinted = false;

  constructor(options: GapMenderOptions) {
    this.#options = options;
  }

  /** To be called when a slot is missing, and again now and then while it is. */
  mend(): void {
    const { follower, source, repairer } = this.#options;
    const { gap, wantsRestart } = follower.state;
    if (gap === null) return;
    if (gap.rootedSlot !== this.#rootedSlot) this.#beginAt(gap.rootedSlot);
    const isLost = source.state.replayRefused || this.#ended.size >= FRUITLESS_STREAMS_MAX;
    if (isLost) this.#hint(gap.rootedSlot);
    if (isLost && !wantsRestart && repairer !== null) {
      repairer.begin();
      return;
    }
    // One that has told nothing yet may still bring it.
    const { connected, connections } = source.state;
    if (connected && !wantsRestart && this.#ended.size < FRUITLESS_STREAMS_MAX) this.#ended.add(connections);
    source.renew();
  }

  #beginAt(rootedSlot: Slot): void {
    this.#rootedSlot = rootedSlot;
    this.#ended.clear();
    this.#hasHinted = false;
  }

  #hint(rootedSlot: Slot): void {
    const { repairer, say } = this.#options;
    if (repairer !== null || this.#hasHinted) return;
    this.#hasHinted = true;
    say(
      `the server does not tell again what came after slot ${rootedSlot}: name an RPC node that does (--repair-rpc, LAMPLIGHT_REPAIR_RPC), or load a newer ledger snapshot`,
    );
  }
}
