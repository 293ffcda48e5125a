import type { AddressBytes, Slot, Transaction } from "@lamplight/core";
import type { Random } from "../random.ts";
import { type BubblegumTree } from "./bubblegum-tree.ts";
import { metadataV1, metadataV2 } from "./leaf-samples.ts";

const STEPS_MAX = 3;

/** Changes the leaves of a tree as a block does; returns the transactions in their order and updates the tree. */
export const changeLeaves = (
  tree: BubblegumTree,
  slot: Slot,
  someone: () => AddressBytes,
  random: Random,
): readonly Transaction[] => {
  const steps = random.percent(40) ? random.between(1, STEPS_MAX) : 0;
  const transactions: Transaction[] = [];
  if (steps > 0 && tree.held.length === 0) transactions.push(tree.create());
  for (let step = 0; step < steps; step += 1) transactions.push(changeLeaf(tree, someone, random));
  return transactions.map((transaction, index) => ({ ...transaction, slot, index }));
};

const changeLeaf = (tree: BubblegumTree, someone: () => AddressBytes, random: Random): Transaction => {
  const leaves = tree.held.length;
  if (leaves === 0 || (random.percent(40) && !tree.isFull)) {
    const texts = { name: `Leaf ${leaves}`, mutable: random.percent(50) };
    return random.percent(50)
      ? tree.mintV1(someone(), metadataV1(texts))
      : tree.mintV2(someone(), metadataV2(texts));
  }
  const nonce = random.below(leaves);
  switch (random.below(6)) {
    case 0:
    case 1:
      return tree.transfer(nonce, someone());
    case 2:
      return tree.delegate(nonce, someone());
    case 3:
      return tree.update(nonce, `Name ${random.below(1000)}`);
    case 4:
      return tree.held[nonce]?.leaf.version === 2
        ? tree.setFlags(nonce, "freeze_v2", random.below(8))
        : tree.redeem(nonce);
    default:
      return tree.burn(nonce);
  }
};
