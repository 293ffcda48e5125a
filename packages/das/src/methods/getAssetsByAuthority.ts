import type { GetAssetsByAuthorityParams, GetAssetsByAuthorityResult } from "../generated/types.ts";
import type { Method } from "@lamplight/core";
import { assetList, hidingFungibles, listAssets } from "./list-assets.ts";

/** The assets with an update authority. */
export const getAssetsByAuthority: Method<GetAssetsByAuthorityParams, GetAssetsByAuthorityResult> = {
  ...assetList,
  steps: (params, call) => listAssets({ ...params, ...hidingFungibles(params) }, call),
};
