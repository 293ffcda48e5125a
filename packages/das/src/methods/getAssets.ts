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
  noteTreesOfAbsence,
  open,
  parseAssetAddress,
  readAll,
  ShownAssets,
  slice,
  type Steps,
  type StoredAsset,
  storedJson,
  writeJson,
} from "@lamplight/core";
import type { Asset, GetAssetsParams, GetAssetsResult } from "../generated/types.ts";

/** Few, because each may come with an off-chain document of 2 MiB: at most as many bytes as an answer has. */
const ASSETS_PER_READ = 16;

/** The documents of several assets, in the order of their ids; null for an id without an asset. */
export const getAssets: Method<GetAssetsParams, GetAssetsResult> = {
  readsAt: "assets",
  isList: true,
  cheaper: (finished) => `fewer ids, such as ${Math.max(1, Math.floor(finished * 0.8))}`,
  *steps({ ids, options = {} }, call) {
    const addresses = ids.map((id, index) => parseAssetAddress(`ids.${index}`, id));
    yield open;
    const shown = new ShownAssets(options);
    const documents: JsonText<Asset | null>[] = [];
    for (let from = 0; from < addresses.length; from += ASSETS_PER_READ) {
      const read = yield* readSome(addresses.slice(from, from + ASSETS_PER_READ), call);
      const shaped = isPlain(options) ? plain(read) : yield* shown.shape(read.filter((one) => one !== null));
      yield slice(shaped.map((document) => Buffer.byteLength(document)));
      const next = shaped.values();
      documents.push(...read.map((one) => (one === null ? absent : next.next().value!)));
    }
    return listJson(documents);
  },
};

/** Assets in the order of their ids; null where there is none. */
function* readSome(ids: readonly AddressBytes[], call: Call): Steps<readonly (StoredAsset | null)[]> {
  const found = yield* readAll<"asset">(ids.map((id) => ({ kind: "asset", id })));
  const joined: (StoredAsset | null)[] = [];
  for (const [index, asset] of found.entries()) {
    if (asset === null) yield* assertAbsent(ids[index]!, call);
    else if (asset.incompleteTree !== null) call.noteIncompleteTrees([asset.incompleteTree]);
    joined.push(asset === null ? null : joinAsset(asset));
  }
  return joined;
}

/** @throws LamplightError `STORE__NOT_COVERED` where the store may only lack the asset */
function* assertAbsent(id: AddressBytes, call: Call): Steps<void> {
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, id, `asset ${encodeAddress(id)}`);
}

/** The text of an asset without display options is its document: no step for each, and no parsing. */
const plain = (assets: readonly (StoredAsset | null)[]): readonly JsonText<Asset>[] =>
  assets.flatMap((asset) => (asset === null ? [] : storedJson<Asset>(asset.document)));

const absent = writeJson<null>(null);
