import { describe, expect, test } from "vitest";
import { BorshWriter } from "../borsh/borsh-writer.ts";
import { programAddresses } from "../programs/addresses.ts";
import { deriveAssetId } from "./asset-id.ts";
import { findBubblegumCalls } from "./find-bubblegum-calls.ts";
import { proveCall } from "./prove-call.ts";

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const [config, payer, authority, owner, delegate, tree, collection, signer] = [
  key(1),
  key(2),
  key(3),
  key(4),
  key(5),
  key(6),
  key(7),
  key(8),
];
const { bubblegum, mplNoop, mplAccountCompression, mplCore, system } = programAddresses;
const programs = [mplNoop, mplAccountCompression, mplCore, system];

/** A burn of leaf 0: two hashes, no asset data hash, no flags, nonce and index. */
const burnData = new BorshWriter()
  .bytes(Buffer.from("73d222f0e88fb710", "hex"))
  .bytes(key(20))
  .bytes(key(21))
  .bytes(key(22))
  .bool(false)
  .bool(false)
  .u64(0n)
  .u32(0)
  .finish();

const changeLog = new BorshWriter()
  .bytes(Uint8Array.of(0, 0))
  .bytes(tree)
  .u32(2)
  .bytes(new Uint8Array(32))
  .u32(2)
  .bytes(key(30))
  .u32(1)
  .u64(7n)
  .u32(0)
  .finish();

const callOf = (accounts: readonly Uint8Array[]) => {
  const outer = { programAddress: bubblegum, accounts, data: burnData, stackHeight: 1 };
  const log = { programAddress: mplNoop, accounts: [], data: changeLog, stackHeight: 3 };
  return findBubblegumCalls({ groups: [{ outer, inner: [log] }] })[0]!;
};

const current = [config, payer, authority, owner, delegate, tree, collection, signer, ...programs];
const early = [config, authority, owner, delegate, tree, collection, signer, ...programs];

/** Optional accounts that are left out are the program. */
const withoutCollection = (accounts: readonly Uint8Array[]) =>
  accounts.map((each) => (each === collection || each === signer ? bubblegum : each));

describe("burn_v2", () => {
  test.each([
    ["current", current],
    ["current with proof nodes", [...current, key(40), key(41)]],
    ["early", early],
    ["early with one proof node, as long as the current form", [...early, key(40)]],
  ])("in its %s form names owner, delegate and collection", (_form, accounts) => {
    const call = callOf(accounts);
    expect(call.instruction).toMatchObject({ owner, delegate, collection });
    expect(proveCall(call)).toMatchObject({
      change: {
        tree,
        seq: 7,
        assetId: deriveAssetId(tree, 0),
        treeConfig: config,
        outcome: { kind: "burnt" },
      },
      faults: [],
    });
  });

  test("in its current form is not mistaken for the early one where the tree is named as delegate", () => {
    const call = callOf(current.map((each) => (each === delegate ? tree : each)));
    expect(call.instruction).toMatchObject({ owner, delegate: tree, collection });
  });

  test("without a collection names none, in either form", () => {
    for (const accounts of [current, early])
      expect(callOf(withoutCollection(accounts)).instruction).toMatchObject({
        owner,
        delegate,
        collection: null,
      });
  });
});
