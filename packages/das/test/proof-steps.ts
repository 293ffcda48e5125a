// Steps that change simulated trees, and the proofs that they must give. Each proof is hashed again here, and compared with the tree's own nodes.

import { decodeAddress, encodeAddress, keccak256 } from "@lamplight/codecs";
import { blockLevels, blockPlaceOf, NodeBlock, nodeBlockKey, type Transaction } from "@lamplight/core";
import { addressOf, type BubblegumTree } from "@lamplight/devchain";
import { expect } from "vitest";
import type { ProofStore } from "./proof-store.ts";

interface Answer {
  readonly root: string;
  readonly proof: readonly string[];
  readonly node_index: number;
  readonly leaf: string;
  readonly tree_id: string;
}

export const idOf = (tree: BubblegumTree, nonce: number): string => encodeAddress(tree.idOf(nonce));

/** The root that a proof gives, as the compression program hashes it. */
const rootOf = ({ leaf, proof, node_index: number }: Answer): string => {
  let node = decodeAddress(leaf);
  for (const [level, text] of proof.entries()) {
    const other = decodeAddress(text);
    const isRight = (number / 2 ** level) % 2 >= 1;
    node = isRight ? keccak256(other, node) : keccak256(node, other);
  }
  return encodeAddress(node);
};

export const expectProof = (answer: unknown, tree: BubblegumTree, nonce: number): void => {
  const proof = answer as Answer;
  expect(proof).toEqual({
    root: encodeAddress(tree.nodes.root),
    proof: tree.nodes.proofOf(nonce).map(encodeAddress),
    node_index: 2 ** tree.nodes.depth + nonce,
    leaf: encodeAddress(tree.nodes.pathOf(nonce)[0]!),
    tree_id: encodeAddress(tree.address),
  });
  expect(rootOf(proof)).toBe(proof.root);
};

const alice = addressOf(1);
export const bob = addressOf(2);

/** Mints `count` leaves. */
export const mintMany = (tree: BubblegumTree, count: number): Transaction[] =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? tree.mintV1(alice) : tree.mintV2(bob)));

/** A step that changes a tree; `number` decides which. Those that are burnt at last are in `burnt`. */
export const stepOf = (tree: BubblegumTree, burnt: Set<number>, number: number): readonly Transaction[] => {
  const minted = tree.held.length;
  if (minted === 0 || number % 3 === 0) return [number % 2 === 0 ? tree.mintV1(alice) : tree.mintV2(bob)];
  const nonce = (number >>> 4) % minted;
  burnt.delete(nonce);
  switch (number % 7) {
    case 0:
      burnt.add(nonce);
      return [tree.burn(nonce)];
    case 1:
      return tree.held[nonce]!.leaf.version === 1
        ? [tree.redeem(nonce)]
        : [tree.setFlags(nonce, "freeze_v2", 1)];
    case 2:
      return [tree.delegate(nonce, bob)];
    default:
      return [tree.transfer(nonce, addressOf(number % 50))];
  }
};

/** The blocks of nodes of a tree that a store keeps, as text. */
export const nodesOf = async (
  { store }: ProofStore,
  { address, nodes, held }: BubblegumTree,
): Promise<string[]> => {
  const kept: string[] = [];
  for (const level of blockLevels(nodes.depth))
    for (let place = 0; place <= blockPlaceOf(held.length - 1, level); place += 1) {
      const [row] = await store.readLedger("nodes", [nodeBlockKey(address, level, place)]);
      kept.push(`${level} ${place} ${row?.state}`);
    }
  return kept;
};

/** A block that the store keeps of a tree, with another hash in one node of its level 4. */
export const wrongBlock = async ({ store }: ProofStore, { address, seq, slot }: BubblegumTree) => {
  const [kept] = await store.readLedger("nodes", [nodeBlockKey(address, 4, 0)]);
  const block = NodeBlock.parse(kept!.state);
  const hashAt = (level: number) => (level === 0 ? addressOf(1) : block.nodeAt(level, 1 >>> level)!.hash);
  block.put(1, { seq: seq + 1, slot }, hashAt);
  return { ...kept!, state: block.write() };
};

export const message = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "answered",
    (error: unknown) => (error as Error).message,
  );
