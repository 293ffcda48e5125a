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
import { hasLeft, isBurnt, type KnownLeaf, proveLeaf, readLeaves, readTop } from "../proofs/prove-leaf.ts";
import { shapeProof } from "../proofs/shape-proof.ts";

/** The proofs of several compressed assets, by id; null for an id without a leaf, or of an asset that was burnt or left its tree. */
export const getAssetProofs: Method<GetAssetProofsParams, AssetProofs> = {
  readsAt: "assets",
  isList: true,
  cheaper: (finished) => `fewer ids, such as ${Math.max(1, Math.floor(finished * 0.8))}`,
  *steps({ ids }, call) {
    const addresses = ids.map((id, index) => parseAssetAddress(`ids.${index}`, id));
    yield open;
    // Null keeps the place of an id until its proof is there.
    const members = new Map<string, string | null>(ids.map((id) => [id, null]));
    const leaves = (yield* readLeaves(addresses)).map((leaf, index) => ({ leaf, index }));
    const last: KnownTop = { tree: "", top: null };
    // The account of a tree may have megabytes: it is read once, and only one is kept.
    for (const { leaf, index } of leaves.toSorted(byTree)) {
      const id = ids[index]!;
      if (members.get(id) !== null) continue;
      const proof = yield* proofOrNull(addresses[index]!, leaf, last, call);
      yield slice([proof.length]);
      members.set(id, `"${id}":${proof}`);
    }
    return storedJson(`{${[...members.values()].join(",")}}`);
  },
};

/** The account of a tree that was read last. */
interface KnownTop {
  /** Base58; "" = none was read. */
  tree: string;
  top: TreeTop | null;
}

interface AskedLeaf {
  readonly leaf: KnownLeaf | null;
}

const byTree = ({ leaf: one }: AskedLeaf, { leaf: other }: AskedLeaf): number =>
  one === null || other === null
    ? Number(one === null) - Number(other === null)
    : Buffer.compare(one.state.tree, other.state.tree);

function* proofOrNull(
  address: AddressBytes,
  leaf: KnownLeaf | null,
  last: KnownTop,
  call: Call,
): Steps<JsonText<AssetProof | null>> {
  if (leaf === null) yield* assertHasNoLeaf(address, call);
  if (leaf === null || isBurnt(leaf) || (yield* hasLeft(leaf))) return storedJson("null");
  const tree = encodeAddress(leaf.state.tree);
  if (last.top === null || last.tree !== tree) {
    // The one before is let go of before another one is read.
    last.top = null;
    last.top = yield* readTop(leaf.state.tree);
    last.tree = tree;
  }
  return shapeProof(yield* proveLeaf(leaf, last.top, call));
}

/** @throws LamplightError `STORE__NOT_COVERED` where the store may only lack the asset */
function* assertHasNoLeaf(address: AddressBytes, call: Call): Steps<void> {
  if ((yield* read.ownAsset(address)) !== null) return;
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, address, `asset ${encodeAddress(address)}`);
}
