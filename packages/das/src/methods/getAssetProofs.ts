import { encodeAddress, type TreeTop } from "@lamplight/codecs";
import {
  type AddressBytes,
  assertNoAssetIsKnown,
  type Call,
  type JsonText,
  type Method,
  noteTreesOfAbsence,
  open,
  parseAssetAddress,
  read,
  slice,
  type Steps,
  storedJson,
} from "@lamplight/core";
import type { AssetProof, AssetProofs, GetAssetProofsParams } from "../generated/types.ts";
import { isBurnt, type KnownLeaf, proveLeaf, readLeaves, readTop } from "../proofs/prove-leaf.ts";
import { shapeProof } from "../proofs/shape-proof.ts";

/** The proofs of several compressed assets, by id; null for an id without a leaf, or of a burnt asset. */
export const getAssetProofs: Method<GetAssetProofsParams, AssetProofs> = {
  readsAt: "assets",
  isList: true,
  cheaper: (finished) => `fewer ids, such as ${Math.max(1, Math.floor(finished * 0.8))}`,
  *steps({ ids }, call) {
    const addresses = ids.map((id, index) => parseAssetAddress(`ids.${index}`, id));
    yield open;
    const members = new Map<string, string>();
    const tops = new Map<string, TreeTop>();
    for (const [index, leaf] of (yield* readLeaves(addresses)).entries()) {
      const id = ids[index]!;
      if (members.has(id)) continue;
      const proof = yield* proofOrNull(addresses[index]!, leaf, tops, call);
      yield slice([proof.length]);
      members.set(id, `"${id}":${proof}`);
    }
    return storedJson(`{${[...members.values()].join(",")}}`);
  },
};

function* proofOrNull(
  address: AddressBytes,
  leaf: KnownLeaf | null,
  tops: Map<string, TreeTop>,
  call: Call,
): Steps<JsonText<AssetProof | null>> {
  if (leaf === null) yield* assertHasNoLeaf(address, call);
  if (leaf === null || isBurnt(leaf)) return storedJson("null");
  const tree = encodeAddress(leaf.state.tree);
  const top = tops.get(tree) ?? (yield* readTop(leaf.state.tree));
  tops.set(tree, top);
  return shapeProof(yield* proveLeaf(leaf, top, call));
}

/** @throws LamplightError `STORE__NOT_COVERED` where the store may only lack the asset */
function* assertHasNoLeaf(address: AddressBytes, call: Call): Steps<void> {
  if ((yield* read.ownAsset(address)) !== null) return;
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, address, `asset ${encodeAddress(address)}`);
}
