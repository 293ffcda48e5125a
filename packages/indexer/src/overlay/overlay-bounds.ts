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

/** Whether half of a bound is reached. What need not be there now leaves the rest to the chain's own writes. */
export const isHalfFull = (state: OverlayState, bounds?: OverlayBounds): boolean =>
  isOverBounds(
    {
      ...state,
      standstillSeconds: 2 * state.standstillSeconds,
      unfinalizedSlots: 2 * state.unfinalizedSlots,
      unfinalizedVersions: 2 * state.unfinalizedVersions,
      unfinalizedBytes: 2 * state.unfinalizedBytes,
      unfinalizedAssets: 2 * state.unfinalizedAssets,
      unfinalizedAssetBytes: 2 * state.unfinalizedAssetBytes,
    },
    bounds,
  );

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
