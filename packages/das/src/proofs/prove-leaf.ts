import {
  canopyNode,
  encodeAddress,
  findTreeTop,
  hashLeaf,
  hashNodes,
  programAddresses,
  sameBytes,
  type TreeTop,
} from "@lamplight/codecs";
import {
  type Account,
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
import { LamplightError } from "@lamplight/errors";
import { hashPath } from "./hash-path.ts";
import { readBlocks } from "./read-blocks.ts";

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

/** Whether its asset is gone for ever. */
export const isBurnt = ({ state }: KnownLeaf): boolean =>
  state.leaf === null || (isEmpty(state) && state.end?.kind === "burnt");

/** Whether its node has no asset: it was burnt or redeemed. */
const isEmpty = (state: LeafState): boolean => nodeOfLeaf(state)?.hash !== state.leaf?.leafHash;

/**
 * The proof of a leaf that was not burnt. That of a redeemed one is the proof of its empty node, which cancels the redemption.
 *
 * @throws LamplightError `STORE__NOT_COVERED` where what the store has does not prove the leaf, with the reason
 */
export function* proveLeaf({ id, state }: KnownLeaf, call: Call): Steps<LeafProof> {
  const { tree, nonce: leafIndex } = state;
  const leaf = nodeOfLeaf(state)!.hash;
  const top = topOf(yield* read.account(tree), tree);
  const isShown = isEmpty(state) || isHashOf(id, leafIndex, state.leaf!);
  if (leafIndex >= top.leafCount || !isShown) return yield* refuse(tree, call);
  const nodes: Uint8Array[] = [];
  let own = leaf;
  for (const block of yield* readBlocks(tree, leafIndex, top)) {
    const path = hashPath(block, own);
    nodes.push(...path.siblings);
    own = path.top;
  }
  // The account is as new as its root, and has no gaps.
  for (let level = top.depth - top.canopyDepth; level < top.depth; level += 1) {
    const place = leafIndex >>> level;
    const sibling = canopyNode(top, level, place ^ 1);
    nodes.push(sibling);
    own = place % 2 === 0 ? hashNodes(own, sibling) : hashNodes(sibling, own);
  }
  if (!sameBytes(own, top.merkleRoot)) return yield* refuse(tree, call);
  return { tree, leafIndex, leaf, nodes, merkleRoot: top.merkleRoot };
}

const treePrograms = [programAddresses.splAccountCompression, programAddresses.mplAccountCompression];

const topOf = (account: Account | null, tree: AddressBytes): TreeTop => {
  const isTree = account !== null && treePrograms.some((program) => sameBytes(program, account.programOwner));
  const top = isTree ? findTreeTop(account.data) : null;
  if (top === null)
    throw notCovered(`the account of tree ${encodeAddress(tree)}, which proofs are compared with`);
  return top;
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
  const [nodes] = yield* read.ledger("node", [nodesStateKey]);
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
  throw notCovered(`proofs of tree ${address}, whose leaves do not give the root of its account`);
}

const notCovered = (what: string): LamplightError => new LamplightError("STORE__NOT_COVERED", { what });
