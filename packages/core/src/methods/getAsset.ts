import type { GetAssetParams } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { parseAssetAddress } from "../params/addresses.ts";
import { whenReady } from "../ports/when-ready.ts";
import { shapeAsset } from "../shaping/shape-asset.ts";
import { assertAbsenceIsKnown } from "./account-context.ts";
import type { Method } from "./method.ts";

/** The document of one asset, compressed or not. */
export const getAsset: Method<GetAssetParams> = (params, context) => {
  const id = parseAssetAddress("id", params.id);
  return whenReady(context.views.view(context.settings.assetCommitment), (view) =>
    whenReady(view.assets.findAsset(id), (asset) => {
      if (asset !== null) return shapeAsset(asset, params.config ?? {}, view.assets);
      assertAbsenceIsKnown(view.coverage, `asset ${params.id}`);
      throw new LamplightError("ASSET__NOT_FOUND", { id: params.id });
    }),
  );
};
