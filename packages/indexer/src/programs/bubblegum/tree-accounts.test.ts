import { findProgramAddress, programAddresses } from "@lamplight/codecs";
import { type Account, parseTreeState, treeCoverageOf } from "@lamplight/core";
import { addressOf, BubblegumTree } from "@lamplight/devchain";
import { describe, expect, test } from "vitest";
import { bubblegumLedger } from "./bubblegum-ledger.ts";

const wallet = addressOf(1);

describe("tree accounts", () => {
  test("show how far a tree is behind", () => {
    const tree = new BubblegumTree(1);
    const data = Buffer.alloc(100);
    data[0] = 1;
    data.set(findProgramAddress([tree.address], programAddresses.bubblegum).address, 10);
    data.writeBigUInt64LE(7n, 56);
    const account: Account = {
      address: tree.address,
      programOwner: programAddresses.mplAccountCompression,
      lamports: 1n,
      executable: false,
      rentEpoch: 0n,
      data,
      slot: 3,
      writeVersion: 0,
    };
    const fromAccount = bubblegumLedger.readAccount(account);
    const fromMint = bubblegumLedger
      .read(tree.mintV1(wallet), () => {})
      .filter(({ kind }) => kind === "tree");
    const states = [
      [...fromAccount, ...fromMint],
      [...fromMint, ...fromAccount],
    ].map((events) => bubblegumLedger.fold(null, events, () => {}).state);
    expect(states[0]).toBe(states[1]);
    expect(treeCoverageOf("tree", parseTreeState(states[0] as string))).toEqual({
      tree: "tree",
      completeThroughSeq: 1,
      highestSeq: 1,
      accountSeq: 7,
    });
    expect(bubblegumLedger.readAccount({ ...account, programOwner: wallet })).toEqual([]);
    expect(bubblegumLedger.readAccount({ ...account, data: data.subarray(0, 60) })).toEqual([]);
    // A tree of anybody's, and one that names the config of another tree.
    const other = findProgramAddress([wallet], programAddresses.bubblegum).address;
    for (const authority of [wallet, other, new Uint8Array(32)]) {
      const foreign = Buffer.from(data);
      foreign.set(authority, 10);
      expect(bubblegumLedger.readAccount({ ...account, data: foreign })).toEqual([]);
    }
  });
});
