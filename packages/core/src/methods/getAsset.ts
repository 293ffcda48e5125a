import type { GetAssetParams, GetAssetResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { AddressBytes, MaybePromise } from "../domain/address.ts";
import type { FoundAsset } from "../domain/asset.ts";
import type { JsonText } from "../json/json-text.ts";
import { parseAssetAddress } from "../params/addresses.ts";
import type { ReadView } from "../ports/read-view.ts";
import { whenReady } from "../ports/when-ready.ts";
import { joinAsset } from "../shaping/join-asset.ts";
import { shapeAsset } from "../shaping/shape-asset.ts";
import { assertMinContextSlot } from "./account-context.ts";
import { type CallContext, readOnce } from "./call-context.ts";
import { noteTreeOfAsset, noteTreesOfAbsence } from "./incomplete-trees.ts";
import { assertNoAssetIsKnown } from "./known-absence.ts";
import type { Method } from "./method.ts";

/** The document of one asset, compressed or not. */
export const getAsset: Method<GetAssetParams, GetAssetResult> = (params, context) => {
  const id = parseAssetAddress("id", params.id);
  const { assetCommitment } = context.settings;
  const read = (view: ReadView): MaybePromise<JsonText<GetAssetResult>> => {
    assertMinContextSlot(view, params.minContextSlot);
    assertMinContextSlot(view, params.config?.minContextSlot);
    return whenReady(view.assets.findAsset(id), (asset) =>
      asset === null ? refuseAbsent(id, params.id, context, view) : shapeFound(asset, params, context, view),
    );
  };
  // The collection is one more read.
  return params.config?.showCollectionMetadata === true
    ? whenReady(context.views.view(assetCommitment), read)
    : readOnce(context, assetCommitment, { kind: "asset", id }, read);
};

const shapeFound = (
  asset: FoundAsset,
  params: GetAssetParams,
  context: CallContext,
  view: ReadView,
): MaybePromise<JsonText<GetAssetResult>> => {
  if (context.isAlone === true) context.views.noteUpdatedSlot(asset.updatedSlot);
  return whenReady(noteTreeOfAsset(context.views, view, asset), () =>
    whenReady(joinAsset(asset, view.assets), (joined) =>
      shapeAsset(joined, params.config ?? {}, view.assets),
    ),
  );
};

const refuseAbsent = (
  id: AddressBytes,
  text: string,
  context: CallContext,
  view: ReadView,
): MaybePromise<never> => {
  noteTreesOfAbsence(context.views, view);
  return whenReady(assertNoAssetIsKnown(view, id, `asset ${text}`), () => {
    throw new LamplightError("ASSET__NOT_FOUND", { id: text });
  });
};
