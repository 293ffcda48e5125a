// Arguments of instructions of Bubblegum and the tree program, and payloads that they publish through the noop program.

import { BorshWriter, hashLeaf, type Leaf, type LeafMetadata, programAddresses } from "@lamplight/codecs";
import type { AddressBytes, Instruction } from "@lamplight/core";

/** In the place of bytes that no reader needs, such as roots and proofs. */
export const filler = new Uint8Array(32).fill(9);

/** Standard or V2 arguments about the leaf as it is before the step. */
export const given = (leaf: Leaf): BorshWriter => {
  const reported = new BorshWriter().bytes(filler).bytes(leaf.dataHash).bytes(leaf.creatorHash);
  if (leaf.version === 2) reported.bool(false).option(leaf.flags, (flags) => reported.u8(flags));
  return reported.u64(BigInt(leaf.nonce)).u32(leaf.nonce);
};

/** A call of the noop program, as Bubblegum and the tree program make it. */
export const noop = (data: Uint8Array): Instruction => ({
  programAddress: programAddresses.splNoop,
  accounts: [],
  data,
  stackHeight: 2,
});

/** The payload that the program publishes about a leaf. */
export const leafPayload = (leaf: Leaf): Uint8Array => {
  const version = leaf.version - 1;
  const event = new BorshWriter().u8(1).u8(version).u8(version);
  event.bytes(leaf.assetId).bytes(leaf.assetOwner).bytes(leaf.delegate).u64(BigInt(leaf.nonce));
  event.bytes(leaf.dataHash).bytes(leaf.creatorHash);
  if (leaf.version === 2) event.bytes(leaf.collectionHash).bytes(leaf.assetDataHash).u8(leaf.flags);
  const published = event.bytes(hashLeaf(leaf)).finish();
  return new BorshWriter().u8(1).u8(0).u32(published.length).bytes(published).finish();
};

/** @param path - from the leaf to the root */
export const changeLogPayload = (
  tree: AddressBytes,
  seq: number,
  leafIndex: number,
  path: readonly Uint8Array[],
): Uint8Array => {
  const depth = path.length - 1;
  const log = new BorshWriter().u8(0).u8(0).bytes(tree);
  log.u32(path.length);
  for (const [level, node] of path.entries())
    log.bytes(node).u32(2 ** (depth - level) + (leafIndex >> level));
  return log.u64(BigInt(seq)).u32(leafIndex).finish();
};

/** Members of the metadata that an update replaces. */
export type LeafUpdate = Partial<
  Pick<
    LeafMetadata,
    "name" | "symbol" | "uri" | "creators" | "basisPoints" | "primarySaleHappened" | "mutable"
  >
>;

/** The argument of an update: of each member whether it changes, and to what. */
export const writeUpdate = (reported: BorshWriter, update: LeafUpdate): void => {
  const put = <Value>(value: Value | undefined, write: (value: Value) => unknown): unknown =>
    reported.option(value ?? null, write);
  put(update.name, (text) => reported.text(text));
  put(update.symbol, (text) => reported.text(text));
  put(update.uri, (text) => reported.text(text));
  put(update.creators, (creators) =>
    reported.list(creators, ({ address, verified, share }) =>
      reported.bytes(address).bool(verified).u8(share),
    ),
  );
  put(update.basisPoints, (points) => reported.u16(points));
  put(update.primarySaleHappened, (happened) => reported.bool(happened));
  put(update.mutable, (mutable) => reported.bool(mutable));
};
