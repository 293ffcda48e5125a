import type { GetAssetParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { parseAssetAddress } from "../params/addresses.ts";
import { shapeAsset } from "../shaping/shape-asset.ts";
import { assertAbsenceIsKnown } from "./account-context.ts";
import type { Method } from "./method.ts";

/** The document of one asset, compressed or not. */
export const getAsset: Method<GetAssetParams> = async (params, context) => {
  const id = parseAssetAddress("id", params.id);
  const view = await context.views.view(context.settings.assetCommitment);
  const asset = await view.assets.findAsset(id);
  if (asset === null) {
    assertAbsenceIsKnown(view.coverage, `asset ${params.id}`);
    throw new LamplightError("ASSET__NOT_FOUND", { id: params.id });
  }
  return shapeAsset(asset, params.config ?? {}, view.assets);
};
