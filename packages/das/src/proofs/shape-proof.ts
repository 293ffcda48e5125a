import { encodeAddress } from "@lamplight/codecs";
import { type JsonText, listJson, objectWriter, plainText } from "@lamplight/core";
import type { AssetProof } from "../generated/types.ts";
import type { LeafProof } from "./prove-leaf.ts";

const writeProof = objectWriter<AssetProof>()("root", "proof", "node_index", "leaf", "tree_id");

const addressJson = (bytes: Uint8Array): JsonText<string> => plainText(encodeAddress(bytes));

/** Nodes are written as addresses are. The index counts from the root, which is 1. */
export const shapeProof = ({ tree, leafIndex, leaf, nodes, merkleRoot }: LeafProof): JsonText<AssetProof> =>
  writeProof(
    addressJson(merkleRoot),
    listJson(nodes.map(addressJson)),
    2 ** nodes.length + leafIndex,
    addressJson(leaf),
    addressJson(tree),
  );
