import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  assertNoAssetIsKnown,
  type Call,
  isPlain,
  joinAsset,
  type JsonText,
  listJson,
  type Method,
  noteTreeOfAsset,
  noteTreesOfAbsence,
  open,
  parseAssetAddress,
  readAll,
  ShownAssets,
  slice,
  type Steps,
  storedJson,
  type WholeAsset,
  writeJson,
} from "@lamplight/core";
import type { Asset, AssetOptions, GetAssetsParams, GetAssetsResult } from "../generated/types.ts";

/** Few, because each may come with an off-chain document of megabytes. */
const ASSETS_PER_READ = 8;

/** The documents of several assets, in the order of their ids; null for an id without an asset. */
export const getAssets: Method<GetAssetsParams, GetAssetsResult> = {
  readsAt: "assets",
  isList: true,
  cheaper: (finished) => `fewer ids, such as ${Math.max(1, Math.floor(finished * 0.8))}`,
  *steps({ ids, options = {} }, call) {
    const addresses = ids.map((id, index) => parseAssetAddress(`ids.${index}`, id));
    yield open;
    const documents: JsonText<Asset | null>[] = [];
    for (let from = 0; from < addresses.length; from += ASSETS_PER_READ) {
      const read = yield* readSome(addresses.slice(from, from + ASSETS_PER_READ), options, call);
      yield slice(read.map((document) => Buffer.byteLength(document)));
      documents.push(...read);
    }
    return listJson(documents);
  },
};

function* readSome(
  ids: readonly AddressBytes[],
  options: AssetOptions,
  call: Call,
): Steps<readonly JsonText<Asset | null>[]> {
  const found = yield* readAll<"asset">(ids.map((id) => ({ kind: "asset", id })));
  const shown = new ShownAssets(options);
  const documents: JsonText<Asset | null>[] = [];
  for (const [index, asset] of found.entries())
    documents.push(
      asset === null
        ? yield* answerAbsent(ids[index]!, call)
        : yield* answerAsset(asset, options, shown, call),
    );
  return documents;
}

/** @throws LamplightError `STORE__NOT_COVERED` where the store may only lack the asset */
function* answerAbsent(id: AddressBytes, call: Call): Steps<JsonText<null>> {
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, id, `asset ${encodeAddress(id)}`);
  return writeJson<null>(null);
}

function* answerAsset(
  asset: WholeAsset,
  options: AssetOptions,
  shown: ShownAssets,
  call: Call,
): Steps<JsonText<Asset>> {
  noteTreeOfAsset(call, asset);
  const joined = joinAsset(asset);
  if (isPlain(options)) return storedJson<Asset>(joined.document);
  return (yield* shown.shape([joined]))[0]!;
}
