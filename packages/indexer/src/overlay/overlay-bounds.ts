import { LamplightError } from "@lamplight/errors";
import type { OverlayState } from "./overlay-state.ts";
import {
  STANDSTILL_SECONDS_MAX,
  unfinalizedAssetBytesMax,
  UNFINALIZED_ASSETS_MAX,
  unfinalizedBytesMax,
  UNFINALIZED_SLOTS_MAX,
  unfinalizedVersionsMax,
} from "./limits.ts";

/** Bounds above the finalized slot, all forks together. Defaults are in `limits.ts`. */
export interface OverlayBounds {
  readonly standstillSecondsMax?: number;
  readonly slotsMax?: number;
  readonly versionsMax?: number;
  readonly bytesMax?: number;
  readonly assetsMax?: number;
  readonly assetBytesMax?: number;
}

/** Whether a bound is reached. */
export const isOverBounds = (state: OverlayState, bounds: OverlayBounds = {}): boolean =>
  state.standstillSeconds >= (bounds.standstillSecondsMax ?? STANDSTILL_SECONDS_MAX) ||
  state.unfinalizedSlots >= (bounds.slotsMax ?? UNFINALIZED_SLOTS_MAX) ||
  state.unfinalizedVersions >= (bounds.versionsMax ?? unfinalizedVersionsMax) ||
  state.unfinalizedBytes >= (bounds.bytesMax ?? unfinalizedBytesMax()) ||
  state.unfinalizedAssets >= (bounds.assetsMax ?? UNFINALIZED_ASSETS_MAX) ||
  state.unfinalizedAssetBytes >= (bounds.assetBytesMax ?? unfinalizedAssetBytesMax);

/** The error of calls for an unfinalized slot while a bound is reached. */
export const stalledAt = (state: OverlayState): LamplightError =>
  new LamplightError("CHAIN__FINALITY_STALLED", {
    finalizedSlot: state.finalizedSlot,
    seconds: Math.floor(state.standstillSeconds),
    slots: state.unfinalizedSlots,
    versions: state.unfinalizedVersions,
    bytes: state.unfinalizedBytes,
    assets: state.unfinalizedAssets,
    assetBytes: state.unfinalizedAssetBytes,
  });
