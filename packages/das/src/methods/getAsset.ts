import { type Method, methodTable } from "@lamplight/core";
import type { GetAssetParams, GetAssetResult } from "../generated/types.ts";

/** The document of one asset. */
export const getAsset: Method<GetAssetParams, GetAssetResult> = {
  readsAt: "assets",
  steps: ({ id, options }, call) =>
    methodTable.getAsset.steps({ id, ...(options === undefined ? {} : { config: options }) }, call),
};
