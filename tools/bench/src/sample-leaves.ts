import type { Account, AddressBytes, Slot, Transaction } from "@lamplight/core";
import { addressOf, BubblegumTree, metadataV1, metadataV2 } from "@lamplight/devchain";
import { collectionAddress } from "./collections/core-accounts.ts";

/** What one commit takes. */
export interface LeafBatch {
  readonly slot: Slot;
  readonly transactions: readonly Transaction[];
  /** The tree as it is after them. */
  readonly accounts: readonly Account[];
}

const BATCH = 500;
const DEPTH_LEAST = 14;
const OWNERS = 500;
const FIRST_OWNER = 40_000;
const firstCollection = addressOf(50_000);

/**
 * Compressed assets in two trees, one for each version of leaves. Of a hundred, ten are transferred, two delegated, and one
 * burnt.
 */
export function* sampleLeaves(count: number, after: Slot): Generator<LeafBatch> {
  let slot = after;
  for (const version of [1, 2] as const) {
    const leaves = Math.ceil(count / 2);
    const depth = Math.max(DEPTH_LEAST, Math.ceil(Math.log2(leaves)));
    const tree = new BubblegumTree(version, { depth });
    tree.slot = slot;
    yield batchOf(tree, [tree.create()]);
    for (let from = 0; from < leaves; from += BATCH) {
      const nonces = Array.from({ length: Math.min(BATCH, leaves - from) }, (_, index) => from + index);
      yield batchOf(tree, [
        ...nonces.map((nonce) => mint(tree, version, nonce)),
        ...nonces.flatMap((nonce) => changeOf(tree, nonce)),
      ]);
    }
    ({ slot } = tree);
  }
}

const ownerOf = (number: number): AddressBytes => addressOf(FIRST_OWNER + (number % OWNERS));

const mint = (tree: BubblegumTree, version: 1 | 2, nonce: number): Transaction => {
  const named = { name: `Leaf ${nonce}`, uri: `https://example.com/leaf/${version}/${nonce}.json` };
  return version === 1
    ? tree.mintToCollection(
        ownerOf(nonce),
        metadataV1({ ...named, collection: { address: firstCollection, verified: true } }),
      )
    : tree.mintV2(
        ownerOf(nonce),
        metadataV2({ ...named, collection: { address: collectionAddress, verified: true } }),
      );
};

const changeOf = (tree: BubblegumTree, nonce: number): readonly Transaction[] => {
  const number = nonce % 100;
  if (number < 10) return [tree.transfer(nonce, ownerOf(nonce + 1))];
  if (number < 12) return [tree.delegate(nonce, ownerOf(nonce + 2))];
  return number === 12 ? [tree.burn(nonce)] : [];
};

const batchOf = (tree: BubblegumTree, transactions: readonly Transaction[]): LeafBatch => {
  const { slot, seq: writeVersion } = tree;
  return { slot, transactions, accounts: [{ ...tree.account(), slot, writeVersion }] };
};
