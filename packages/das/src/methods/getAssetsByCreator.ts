import type { GetAssetsByCreatorParams, GetAssetsByCreatorResult } from "../generated/types.ts";
import type { Method } from "@lamplight/core";
import { assetList, hidingFungibles, listAssets } from "./list-assets.ts";

/** The assets that name a creator, signed or not. */
export const getAssetsByCreator: Method<GetAssetsByCreatorParams, GetAssetsByCreatorResult> = {
  ...assetList,
  steps: ({ onlyVerified, ...params }, call) => {
    const verified = onlyVerified === true ? { creatorVerified: true } : {};
    return listAssets({ ...params, ...verified, ...hidingFungibles(params) }, call);
  },
};
