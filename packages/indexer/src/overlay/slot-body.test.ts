import {
  type Account,
  type ChangeSet,
  deriveAccountFacts,
  emptyChangeSet,
  type Holding,
} from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { addressKey } from "../engine/address-map.ts";
import { Delta } from "./delta.ts";
import { mergePath } from "./merge-path.ts";
import { decodeSlotBody, encodeSlotBody } from "./slot-body.ts";

const idOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

const account = (number: number, data: Uint8Array): Account => ({
  address: idOf(number),
  programOwner: idOf(0),
  lamports: 2n ** 64n - 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: 7,
  writeVersion: 2 ** 53 - 1,
});

const holding = (positive: boolean): Holding => ({
  tokenAccount: idOf(1),
  tokenOwner: idOf(2),
  mint: idOf(3),
  positive,
});

describe("a slot's body", () => {
  test("is the same slot again: exact numbers, bytes, order, and holdings as they were before", async () => {
    // A part of a larger buffer, as bytes from the network are.
    const data = new Uint8Array(1000).map((_, index) => index).subarray(100, 400);
    const derived: ChangeSet = {
      ...emptyChangeSet,
      accounts: [account(5, data), account(1, new Uint8Array(0))].map((current) => ({
        state: { current, lastLife: null },
        facts: { ...deriveAccountFacts(current), delegate: idOf(9), holding: holding(true) },
      })),
      linksAdded: [{ role: "holder", target: idOf(3), source: idOf(1) }],
      linksRemoved: [{ role: "holder", target: idOf(3), source: idOf(4) }],
      assetsSeen: [{ id: idOf(3), slot: 5 }],
      editionsRemoved: [idOf(8)],
      ledger: [{ key: idOf(6), kind: "tree", tree: idOf(6), state: "{}" }],
    };
    const holdings = new Map([[addressKey(idOf(2)), [holding(false), holding(true)]]]);
    const part = { changes: derived, before: new Map() };
    const changes = Delta.of(7, [part], { reported: "fingerprint" }, holdings);
    const again = await decodeSlotBody(7, await encodeSlotBody(changes));
    const root = { slot: 7, blockhash: null };
    expect(mergePath([again!], root)).toEqual(mergePath([changes], root));
    expect(again!.reported).toBe("fingerprint");
    expect(again!.holdings).toEqual(changes.holdings);
    expect(again!.delegated).toEqual(changes.delegated);
    expect(again!.links).toEqual(changes.links);
  });

  test("that is none, or another version's, is not read", async () => {
    expect(await decodeSlotBody(7, Uint8Array.of(1, 2, 3))).toBe(null);
    expect(await decodeSlotBody(7, new Uint8Array(0))).toBe(null);
  });
});
