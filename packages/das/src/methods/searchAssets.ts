import type { Method } from "@lamplight/core";
import type { SearchAssetsParams, SearchAssetsResult } from "../generated/types.ts";
import { assetList, hidingFungibles, isOneGroup, listAssets } from "./list-assets.ts";

/** Assets that meet the criteria. Fungible tokens are hidden unless the call says what kind of asset it means. */
export const searchAssets: Method<SearchAssetsParams, SearchAssetsResult> = {
  ...assetList,
  steps: ({ delegate, ...params }, call) => {
    const renamed = delegate === undefined ? {} : { delegateAddress: delegate };
    const hiding = namesKind(params) || !isOneGroup(params) ? {} : hidingFungibles(params);
    return listAssets({ ...params, ...renamed, ...hiding }, call);
  },
};

const namesKind = ({ tokenType, ownerType, interface: kind }: SearchAssetsParams): boolean =>
  tokenType !== undefined || ownerType !== undefined || kind !== undefined;
