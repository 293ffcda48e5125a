import { type Account, type AddressBytes, writeJson } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { inscriptionAddress } from "../../../test/encode-accounts.ts";
import { assetRecord } from "../../record/asset-record.ts";
import type { AssetView, KnownAccount } from "../../rules/rules.ts";
import { inscriptionAddition, inscriptionRule } from "./inscription-rule.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const text = (value: string): Uint8Array => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return Buffer.concat([length, Buffer.from(value)]);
};

const root = key(2);
const place = inscriptionAddress(root);
const inscriptionData = (content: string, hash: string | null): Uint8Array =>
  Buffer.concat([
    Buffer.from("e878cd2f99efe5e0", "hex"),
    key(0),
    root,
    key(1),
    Buffer.from("ffffffffffffffff", "hex"),
    Buffer.from("ca000000", "hex"),
    text(content),
    text("base64"),
    hash === null ? Uint8Array.of(0) : Buffer.concat([Uint8Array.of(1), text(hash)]),
    new Uint8Array(5),
  ]);

const account = (address: AddressBytes, data: Uint8Array, slot: number): Account => ({
  address,
  programOwner: key(3),
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot,
  writeVersion: 0,
});

const viewWith = (...accounts: readonly Account[]): AssetView => {
  const linked = accounts.map((current): KnownAccount => ({ current, claiming: current, closed: false }));
  return {
    id: root,
    self: null,
    leaf: null,
    linked: (role) => (role === "inscription" ? linked : []),
    find: () => null,
  };
};

describe("inscriptionRule", () => {
  test("claims the root, and is found from it", () => {
    const claim = inscriptionRule.claim(account(place, inscriptionData("image/png", null), 1));
    expect(claim).toMatchObject({
      assets: [Buffer.from(root)],
      links: [{ role: "inscription", target: Buffer.from(root) }],
      outlives: false,
    });
  });

  test("content accounts say nothing", () => {
    expect(inscriptionRule.claim(account(key(8), Uint8Array.of(0x89, 0x50, 0x4e, 0x47), 1))).toBeNull();
    expect(inscriptionRule.claim(account(key(8), new Uint8Array(0), 1))).toBeNull();
  });
});

const bare = assetRecord({ id: root, interface: "V1_NFT", updatedSlot: 1 });

describe("inscriptionAddition", () => {
  test("shows the members that asset clients know, every digit of the order", () => {
    const record = inscriptionAddition.add(
      viewWith(account(place, inscriptionData("image/png", "7f"), 1)),
      bare,
    );
    expect(writeJson(record.inscription)).toBe(
      `{"authority":"11111111111111111111111111111111","root":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","inscription_data":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","content":"image/png","encoding":"base64","order":18446744073709551615,"size":202,"validation_hash":"7f"}`,
    );
  });

  test("a missing hash is null; without an inscription the record stays as it was", () => {
    expect(
      inscriptionAddition.add(viewWith(account(place, inscriptionData("a", null), 1)), bare).inscription,
    ).toMatchObject({ validation_hash: null });
    expect(inscriptionAddition.add(viewWith(), bare)).toBe(bare);
  });

  test("a record anywhere else, however new, is its writer's own", () => {
    const forged = account(key(8), inscriptionData("forged", null), 9);
    expect(inscriptionRule.claim(forged)).toBeNull();
    expect(inscriptionAddition.add(viewWith(forged), bare)).toBe(bare);
    const genuine = account(place, inscriptionData("genuine", null), 2);
    expect(inscriptionAddition.add(viewWith(forged, genuine), bare)).toMatchObject({
      inscription: { content: "genuine" },
      updatedSlot: 2,
    });
  });
});
