import { LamplightError } from "@lamplight/errors";
import type { OverlayState } from "./fork-overlay.ts";
import {
  unfinalizedAssetBytesMax,
  unfinalizedAssetsMax,
  unfinalizedBytesMax,
  unfinalizedSlotsMax,
  unfinalizedVersionsMax,
} from "./limits.ts";

/** What may be kept above the finalized slot, all forks together. Defaults are in `limits.ts`. */
export interface OverlayBounds {
  readonly slotsMax?: number;
  readonly versionsMax?: number;
  readonly bytesMax?: number;
  readonly assetsMax?: number;
  readonly assetBytesMax?: number;
}

/** Whether one of the bounds is reached. */
export const isOverBounds = (state: OverlayState, bounds: OverlayBounds = {}): boolean =>
  state.unfinalizedSlots >= (bounds.slotsMax ?? unfinalizedSlotsMax) ||
  state.unfinalizedVersions >= (bounds.versionsMax ?? unfinalizedVersionsMax) ||
  state.unfinalizedBytes >= (bounds.bytesMax ?? unfinalizedBytesMax()) ||
  state.unfinalizedAssets >= (bounds.assetsMax ?? unfinalizedAssetsMax) ||
  state.unfinalizedAssetBytes >= (bounds.assetBytesMax ?? unfinalizedAssetBytesMax);

/** The answer to those who ask for a slot above the finalized one in the meantime. */
export const stalledAt = (state: OverlayState): LamplightError =>
  new LamplightError("CHAIN__FINALITY_STALLED", {
    finalizedSlot: state.finalizedSlot,
    slots: state.unfinalizedSlots,
    versions: state.unfinalizedVersions,
    bytes: state.unfinalizedBytes,
    assets: state.unfinalizedAssets,
    assetBytes: state.unfinalizedAssetBytes,
  });
