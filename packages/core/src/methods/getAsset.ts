import type { GetAssetParams, GetAssetResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { parseAssetAddress } from "../params/addresses.ts";
import { whenReady } from "../ports/when-ready.ts";
import { joinAsset } from "../shaping/join-asset.ts";
import { shapeAsset } from "../shaping/shape-asset.ts";
import { assertMinContextSlot } from "./account-context.ts";
import { noteTreeOfAsset, noteTreesOfAbsence } from "./incomplete-trees.ts";
import { assertNoAssetIsKnown } from "./known-absence.ts";
import type { Method } from "./method.ts";

/** The document of one asset, compressed or not. */
export const getAsset: Method<GetAssetParams, GetAssetResult> = (params, context) => {
  const id = parseAssetAddress("id", params.id);
  return whenReady(context.views.view(context.settings.assetCommitment), (view) => {
    assertMinContextSlot(view, params.minContextSlot);
    assertMinContextSlot(view, params.config?.minContextSlot);
    return whenReady(view.assets.findAsset(id), (asset) => {
      if (asset !== null)
        return whenReady(noteTreeOfAsset(context.views, view, asset), () =>
          whenReady(joinAsset(asset, view.assets), (joined) =>
            shapeAsset(joined, params.config ?? {}, view.assets),
          ),
        );
      noteTreesOfAbsence(context.views, view);
      return whenReady(assertNoAssetIsKnown(view, id, `asset ${params.id}`), () => {
        throw new LamplightError("ASSET__NOT_FOUND", { id: params.id });
      });
    });
  });
};
