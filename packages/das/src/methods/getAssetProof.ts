import {
  type AddressBytes,
  assertNoAssetIsKnown,
  type Call,
  type Method,
  noteTreesOfAbsence,
  parseAssetAddress,
  read,
  type Steps,
} from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { AssetProof, GetAssetProofParams } from "../generated/types.ts";
import { hasLeft, isBurnt, proveLeaf } from "../proofs/prove-leaf.ts";
import { treeOfPath } from "../proofs/read-tree.ts";
import { shapeProof } from "../proofs/shape-proof.ts";

const notCompressed = "is of an asset that is not compressed; only leaves of trees have proofs";

/** The proof of a compressed asset: with it, transactions change the asset. */
export const getAssetProof: Method<GetAssetProofParams, AssetProof> = {
  readsAt: "assets",
  // It reads the account of a tree, which may have megabytes.
  isList: true,
  *steps({ id }, call) {
    const address = parseAssetAddress("id", id);
    const path = yield* read.leafPath(address);
    if (path === null) return yield* refuseWithoutLeaf(address, id, call);
    const leaf = { id: address, state: path.leaf };
    if (isBurnt(leaf)) throw refusal("is of an asset that was burnt");
    if (yield* hasLeft(leaf)) throw refusal(notCompressed);
    return shapeProof(yield* proveLeaf(leaf, yield* treeOfPath(path), call));
  },
};

function* refuseWithoutLeaf(address: AddressBytes, id: string, call: Call): Steps<never> {
  if ((yield* read.ownAsset(address)) !== null) throw refusal(notCompressed);
  noteTreesOfAbsence(call);
  yield* assertNoAssetIsKnown(call, address, `asset ${id}`);
  throw new LamplightError("ASSET__NOT_FOUND", { id });
}

const refusal = (reason: string): LamplightError =>
  new LamplightError("PARAM__INVALID", { parameter: "id", position: null, reason });
