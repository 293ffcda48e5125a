import { LamplightError } from "@lamplight/errors";
import type { OverlayState } from "./fork-overlay.ts";
import {
  unrootedAssetBytesMax,
  unrootedAssetsMax,
  unrootedBytesMax,
  unrootedSlotsMax,
  unrootedVersionsMax,
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
  state.unrootedSlots >= (bounds.slotsMax ?? unrootedSlotsMax) ||
  state.unrootedVersions >= (bounds.versionsMax ?? unrootedVersionsMax) ||
  state.unrootedBytes >= (bounds.bytesMax ?? unrootedBytesMax()) ||
  state.unrootedAssets >= (bounds.assetsMax ?? unrootedAssetsMax) ||
  state.unrootedAssetBytes >= (bounds.assetBytesMax ?? unrootedAssetBytesMax);

/** The answer to those who ask for a slot above the finalized one meanwhile. */
export const stalledAt = (state: OverlayState): LamplightError =>
  new LamplightError("CHAIN__ROOTING_STALLED", {
    rootedSlot: state.rootedSlot,
    slots: state.unrootedSlots,
    versions: state.unrootedVersions,
    bytes: state.unrootedBytes,
    assets: state.unrootedAssets,
    assetBytes: state.unrootedAssetBytes,
  });
