import type { GetAssetsByOwnerParams, GetAssetsByOwnerResult } from "../generated/types.ts";
import type { Method } from "@lamplight/core";
import { assetList, hidingFungibles, listAssets } from "./list-assets.ts";

/** The assets of a wallet; what it holds of fungible tokens only with `showFungible`. */
export const getAssetsByOwner: Method<GetAssetsByOwnerParams, GetAssetsByOwnerResult> = {
  ...assetList,
  steps: (params, call) => listAssets({ ...params, ...hidingFungibles(params) }, call),
};
