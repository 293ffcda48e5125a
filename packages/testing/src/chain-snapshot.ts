import type { WorldState } from "@lamplight/devchain";
import type { MemoryState } from "@lamplight/indexer";

/**
 * A chain at one moment. It can be restored any number of times.
 *
 * ```ts
 * const before: ChainSnapshot = await chain.snapshot();
 * await chain.mint({ kind: "core", owner: chain.wallet("alice"), name: "Cat" });
 * await chain.restore(before);
 * ```
 */
export interface ChainSnapshot {
  /** @internal */
  readonly world: WorldState;
  /** @internal */
  readonly memory: MemoryState;
}
