// Accounts of the Bubblegum program itself: the config of each tree and the vouchers of redeemed leaves.

import { BorshReader } from "../borsh/borsh-reader.ts";
import { readLeaf, type Leaf } from "./leaf-schema.ts";

const treeConfigTag = "7af5aff8ab2200cf";
const voucherTag = "bfcc95ead5a50d41";
const tagBytes = 8;

export interface TreeConfig {
  readonly kind: "treeConfig";
  readonly creator: Uint8Array;
  readonly delegate: Uint8Array;
  readonly capacity: bigint;
  readonly minted: bigint;
  /** Anyone may mint. */
  readonly isPublic: boolean;
  readonly decompressible: boolean;
  /** Leaf schema of the tree: 0 = V1, 1 = V2; null in accounts written before there were two. */
  readonly treeVersion: number | null;
}

/** A leaf between redeeming and decompressing. */
export interface Voucher {
  readonly kind: "voucher";
  readonly leaf: Leaf;
  readonly leafIndex: number;
  readonly tree: Uint8Array;
}

/** Null when the bytes are neither a tree config nor a voucher. */
export const findBubblegumAccount = (data: Uint8Array): TreeConfig | Voucher | null => {
  const tag = Buffer.from(data.buffer, data.byteOffset, Math.min(tagBytes, data.length)).toString("hex");
  try {
    if (tag === treeConfigTag) return readTreeConfig(new BorshReader("tree config", data, tagBytes));
    if (tag === voucherTag) return readVoucher(new BorshReader("voucher", data, tagBytes));
    return null;
  } catch {
    return null;
  }
};

const readTreeConfig = (reader: BorshReader): TreeConfig => ({
  kind: "treeConfig",
  creator: reader.key(),
  delegate: reader.key(),
  capacity: reader.u64(),
  minted: reader.u64(),
  isPublic: reader.bool(),
  decompressible: reader.u8() === 0,
  treeVersion: reader.remaining > 0 ? reader.u8() : null,
});

const readVoucher = (reader: BorshReader): Voucher => ({
  kind: "voucher",
  leaf: readLeaf(reader),
  leafIndex: reader.u32(),
  tree: reader.key(),
});
