import type { GetAssetsByGroupParams, GetAssetsByGroupResult } from "../generated/types.ts";
import { type Method, parseAssetAddress } from "@lamplight/core";
import { assetList, hidingFungibles, listAssets } from "./list-assets.ts";

/** The verified members of a group. */
export const getAssetsByGroup: Method<GetAssetsByGroupParams, GetAssetsByGroupResult> = {
  ...assetList,
  steps: ({ groupKey, groupValue, ...params }, call) => {
    parseAssetAddress("groupValue", groupValue);
    return listAssets({ ...params, grouping: [groupKey, groupValue], ...hidingFungibles(params) }, call);
  },
};
