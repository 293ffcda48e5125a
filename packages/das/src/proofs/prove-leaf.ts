import { encodeAddress, hashLeaf, hashNodes, sameBytes } from "@lamplight/codecs";
import {
  type AddressBytes,
  type Call,
  type LeafGroup,
  type LeafState,
  nodeOfLeaf,
  nodesStateKey,
  parseLeafState,
  parseNodesState,
  read,
  type Steps,
} from "@lamplight/core";
import type { Asset } from "../generated/types.ts";
import { nodeBeside } from "./node-beside.ts";
import { notCovered } from "./not-covered.ts";
import type { ProvedPath } from "./proved-paths.ts";
import type { KnownTree } from "./read-tree.ts";

/** A leaf as its compression state has it. */
export interface KnownLeaf {
  readonly id: AddressBytes;
  readonly state: LeafState;
}

/** A proof that holds: hashed with `nodes`, the leaf gives the root that the tree's account has at the same slot. */
export interface LeafProof {
  readonly tree: AddressBytes;
  readonly leafIndex: number;
  readonly leaf: Uint8Array;
  /** Lowest first: one for each level below the root. */
  readonly nodes: readonly Uint8Array[];
  readonly merkleRoot: Uint8Array;
}

/** Leaves by their asset ids, in their order; null where an id has none. */
export function* readLeaves(ids: readonly AddressBytes[]): Steps<readonly (KnownLeaf | null)[]> {
  const states = yield* read.ledger("leaf", ids);
  return states.map((ledger, index) =>
    ledger === null ? null : { id: ids[index]!, state: parseLeafState(ledger.tree, ledger.state) },
  );
}

/** Whether its asset was burnt, and no other is in its place. */
export const isBurnt = ({ state }: KnownLeaf): boolean => state.end?.kind === "burnt" && isEmpty(state);

/** Whether its asset was redeemed and decompressed: it has a mint, and cannot come back. */
export function* hasLeft({ id, state }: KnownLeaf): Steps<boolean> {
  if (!isEmpty(state)) return false;
  const asset = yield* read.ownAsset(id);
  return asset !== null && !(JSON.parse(asset.document) as Asset).compression.compressed;
}

/** Whether its asset was burnt or redeemed. */
const isEmpty = (state: LeafState): boolean => nodeOfLeaf(state)?.hash !== state.leaf?.leafHash;

/**
 * The proof of a leaf that was not burnt. That of a redeemed one is the proof of its empty node, which cancels the redemption.
 *
 * @param known - what `readTree` gives for it
 * @throws LamplightError `STORE__NOT_COVERED` where what the store has does not prove the leaf, with the reason
 */
export function* proveLeaf({ id, state }: KnownLeaf, known: KnownTree, call: Call): Steps<LeafProof> {
  const { tree, nonce: leafIndex } = state;
  const { top } = known;
  const leaf = nodeOfLeaf(state)?.hash;
  const isShown = isEmpty(state) || (state.leaf !== null && isHashOf(id, leafIndex, state.leaf));
  if (leaf === undefined || !isShown || leafIndex >= top.leafCount) return yield* refuse(tree, call);
  const path = pathOf(leafIndex, leaf, known);
  if (path === null) return yield* refuse(tree, call);
  known.proved.add(leafIndex, path);
  return { tree, leafIndex, leaf, nodes: path.beside, merkleRoot: top.merkleRoot };
}

/** Hashes a leaf up to the root, or to a node of a path that gave the root. Null where it gives another one. */
const pathOf = (leafIndex: number, leaf: Uint8Array, known: KnownTree): ProvedPath | null => {
  const { top, proved } = known;
  const [hashed, beside]: [Uint8Array[], Uint8Array[]] = [[], []];
  let own = leaf;
  for (let level = 0; level < top.depth; level += 1) {
    const place = leafIndex >>> level;
    const same = proved.through(level, place, own);
    if (same !== undefined)
      return {
        hashed: [...hashed, ...same.hashed.slice(level)],
        beside: [...beside, ...same.beside.slice(level)],
      };
    const node = nodeBeside(known, level, place ^ 1);
    hashed.push(own);
    beside.push(node);
    own = place % 2 === 0 ? hashNodes(own, node) : hashNodes(node, own);
  }
  return sameBytes(own, top.merkleRoot) ? { hashed, beside } : null;
};

/** Whether the parts that the asset shows hash to the leaf. */
const isHashOf = (assetId: AddressBytes, nonce: number, { leafHash, v2, ...leaf }: LeafGroup): boolean => {
  const parts = { ...leaf, assetId, nonce };
  const hash = hashLeaf(v2 === null ? { version: 1, ...parts } : { version: 2, ...parts, ...v2 });
  return sameBytes(hash, leafHash);
};

/** @throws LamplightError `STORE__NOT_COVERED`, always */
function* refuse(tree: AddressBytes, call: Call): Steps<never> {
  const address = encodeAddress(tree);
  const [nodes] = yield* read.ledger("nodes", [nodesStateKey]);
  if (nodes === null || nodes === undefined) throw notCovered("proofs: it keeps no nodes of trees");
  const gap = call.incompleteTrees.find((one) => one.tree === address);
  if (gap !== undefined) {
    const last = Math.max(gap.highestSeq, gap.accountSeq ?? 0);
    throw notCovered(
      `proofs of tree ${address}, of which changes are missing between ${gap.completeThroughSeq} and ${last}`,
    );
  }
  if (yield* read.isTreeIncomplete(tree))
    throw notCovered(`proofs of tree ${address}, of which changes are missing`);
  if (!parseNodesState(nodes.state).isFilled)
    throw notCovered(`proofs of tree ${address}: the nodes of trees are still being filled`);
  throw notCovered(
    `proofs of tree ${address}, whose kept nodes do not give the root of its account (lamplight index add das makes them again)`,
  );
}
