import type { Slot } from "@lamplight/core";

export interface OverlayState {
  readonly finalizedSlot: Slot;
  readonly confirmedSlot: Slot;
  readonly processedSlot: Slot;
  readonly unfinalizedSlots: number;
  readonly unfinalizedVersions: number;
  /** Bytes of the account data and transactions that slots were reported with. */
  readonly unfinalizedBytes: number;
  /** Assets derived above the finalized slot. */
  readonly unfinalizedAssets: number;
  /** Memory of these assets, with their documents. */
  readonly unfinalizedAssetBytes: number;
  readonly droppedSlots: number;
  /** Seconds for which slots have been added while none was finalized. */
  readonly standstillSeconds: number;
  /** Unfinalized slots without children, one for each fork. */
  readonly forks: number;
}
