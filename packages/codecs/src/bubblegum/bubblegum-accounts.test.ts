import { describe, expect, test } from "vitest";
import { BorshWriter } from "../borsh/borsh-writer.ts";
import { findBubblegumAccount } from "./bubblegum-accounts.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const tag = (hex: string): Uint8Array => Buffer.from(hex, "hex");

describe("findBubblegumAccount", () => {
  test("reads a tree config, with and without a version", () => {
    const writer = new BorshWriter().bytes(tag("7af5aff8ab2200cf")).bytes(key(1)).bytes(key(2));
    const config = writer.u64(16_384n).u64(7n).bool(true).u8(1).finish().slice();
    const expected = {
      kind: "treeConfig",
      creator: key(1),
      delegate: key(2),
      capacity: 16_384n,
      minted: 7n,
      isPublic: true,
      decompressible: false,
    };
    expect(findBubblegumAccount(config)).toEqual({ ...expected, treeVersion: null });
    expect(findBubblegumAccount(Uint8Array.from([...config, 1]))).toEqual({ ...expected, treeVersion: 1 });
    expect(findBubblegumAccount(config.subarray(0, 40))).toBeNull();
  });

  test("reads a voucher", () => {
    const writer = new BorshWriter().bytes(tag("bfcc95ead5a50d41")).u8(0);
    for (const byte of [1, 2, 3]) writer.bytes(key(byte));
    const voucher = writer.u64(58n).bytes(key(4)).bytes(key(5)).u32(58).bytes(key(6)).finish();
    expect(findBubblegumAccount(voucher)).toEqual({
      kind: "voucher",
      leaf: {
        version: 1,
        assetId: key(1),
        assetOwner: key(2),
        delegate: key(3),
        nonce: 58,
        dataHash: key(4),
        creatorHash: key(5),
      },
      leafIndex: 58,
      tree: key(6),
    });
  });

  test("answers null for other bytes", () => {
    expect(findBubblegumAccount(new Uint8Array(200))).toBeNull();
    expect(findBubblegumAccount(new Uint8Array(0))).toBeNull();
  });
});
