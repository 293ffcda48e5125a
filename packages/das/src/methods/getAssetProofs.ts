import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  assertNoAssetIsKnown,
  type Call,
  type Method,
  noteTreesOfAbsence,
  parseAssetAddress,
  read,
  slice,
  type Steps,
  storedJson,
} from "@lamplight/core";
import type { AssetProofs, GetAssetProofsParams } from "../generated/types.ts";
import { hasLeft, isBurnt, type KnownLeaf, proveLeaf, readLeaves } from "../proofs/prove-leaf.ts";
import { readTree } from "../proofs/read-tree.ts";
import { shapeProof } from "../proofs/shape-proof.ts";

/** The proofs of several compressed assets, by id; null for an id without a leaf, or of an asset that was burnt or left its tree. */
export const getAssetProofs: Method<GetAssetProofsParams, AssetProofs> = {
  readsAt: "assets",
  isList: true,
  cheaper: (finished) => `fewer ids, such as ${Math.max(1, Math.floor(finished * 0.8))}`,
  *steps({ ids }, call) {
    const asked = [...new Set(ids)];
    const addresses = asked.map((id) => parseAssetAddress(`ids.${ids.indexOf(id)}`, id));
    const leaves = yield* readLeaves(addresses);
    const proofs = new Map<string, string>();
    const proved: KnownLeaf[] = [];
    for (const [index, leaf] of leaves.entries()) {
      if (leaf === null) yield* assertHasNoLeaf(addresses[index]!, call);
      else if (!isBurnt(leaf) && !(yield* hasLeft(leaf))) proved.push(leaf);
    }
    const trees = Map.groupBy(proved, ({ state }) => encodeAddress(state.tree));
    for (const leavesOfTree of trees.values()) yield* proveAll(leavesOfTree, proofs, call);
    return storedJson(`{${asked.map((id) => `"${id}":${proofs.get(id) ?? "null"}`).join(",")}}`);
  },
};

/** Proves leaves of one tree. Its account may have megabytes: it is read once, and that of one tree is kept at a time. */
function* proveAll(leaves: readonly KnownLeaf[], proofs: Map<string, string>, call: Call): Steps<void> {
  const nonces = leaves.map(({ state }) => state.nonce);
  const known = yield* readTree(leaves[0]!.state.tree, nonces);
  for (const leaf of leaves) {
    const proof = shapeProof(yield* proveLeaf(leaf, known, call));
    yield slice([proof.length]);
    proofs.set(encodeAddress(leaf.id), proof);
  }
}

/** @throws LamplightError `STORE__NOT_COVERED` where the store may only lack the asset */
function* assertHasNoLeaf(address: AddressBytes, call: Call): Steps<void> {
  if ((yield* read.ownAsset(address)) !== null) return;
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, address, `asset ${encodeAddress(address)}`);
}
