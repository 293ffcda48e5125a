import type { GetAssetParams, GetAssetResult } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import type { AddressBytes } from "../domain/address.ts";
import { storedJson } from "../json/json-text.ts";
import { parseAssetAddress } from "../params/parse-params.ts";
import { joinAsset } from "../shaping/join-asset.ts";
import { isPlain } from "../shaping/shape-asset.ts";
import { noteTreesOfAbsence } from "./incomplete-trees.ts";
import { assertNoAssetIsKnown } from "./known-absence.ts";
import type { Call, Method } from "./method.ts";
import { ShownAssets } from "./shown-assets.ts";
import { read, type Steps } from "./steps.ts";

/** The document of one asset, compressed or not. */
export const getAsset: Method<GetAssetParams, GetAssetResult> = {
  readsAt: "assets",
  *steps(params, call) {
    const id = parseAssetAddress("id", params.id);
    const asset = yield* read.asset(id);
    if (asset === null) return yield* refuseAbsent(id, params.id, call);
    call.noteUpdatedSlot(asset.updatedSlot);
    // A missing leaf changes a known asset only in its own tree.
    if (asset.incompleteTree !== null) call.noteIncompleteTrees([asset.incompleteTree]);
    const joined = joinAsset(asset);
    const { config } = params;
    // The text of a plain asset is its document: no parsing.
    if (config === undefined || isPlain(config)) return storedJson<GetAssetResult>(joined.document);
    return (yield* new ShownAssets(config).shape([joined]))[0]!;
  },
};

function* refuseAbsent(id: AddressBytes, text: string, call: Call): Steps<never> {
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, id, `asset ${text}`);
  throw new LamplightError("ASSET__NOT_FOUND", { id: text });
}
