import { decodeAddress, encodeAddress } from "@lamplight/codecs";
import type { Transaction } from "@lamplight/core";
import { addressOf, BubblegumTree } from "@lamplight/devchain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  alice,
  bob,
  carol,
  foldAll,
  viewOf,
  documentOf,
  withInner,
  withData,
  flipped,
} from "../../../test/leaf-history.ts";
import { compressedKind } from "./derive-leaf.ts";

describe("calls of the Bubblegum program", () => {
  test("takes no events from a call next to Bubblegum's, where stack heights distinguish them", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const transfer = tree.transfer(0, bob);
    const caller = { programAddress: addressOf(50), accounts: [], data: new Uint8Array(0), stackHeight: 1 };
    const groups = transfer.groups.map(({ outer, inner }) => ({
      outer: caller,
      // The caller itself calls the noop program: same height as its call of Bubblegum.
      inner: [{ ...outer, stackHeight: 2 }, ...inner.map((each) => ({ ...each, stackHeight: 2 }))],
    }));
    const { problems } = foldAll([mint, { ...transfer, groups }]);
    expect(problems).toEqual(["change-log-missing"]);
    expect(documentOf([mint, { ...transfer, groups }], tree.idOf(0))?.ownership["owner"]).toBe(
      encodeAddress(alice),
    );
  });

  test("takes a sound leaf from an instruction it does not know", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const strange = withData((data) => flipped(data, 0))(tree.transfer(0, bob));
    expect(foldAll([mint, strange]).problems).toEqual(["instruction-unknown"]);
    expect(documentOf([mint, strange], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(bob));
  });

  test("reads each of several mints in one instruction's calls, without stack heights too", () => {
    const tree = new BubblegumTree(1);
    const other = new BubblegumTree(2);
    const both = [tree.mintV1(alice), other.mintV1(bob)];
    const inner = both.flatMap(({ groups }) => groups.flatMap((group) => [group.outer, ...group.inner]));
    const caller = { programAddress: addressOf(50), accounts: [], data: new Uint8Array(0), stackHeight: 1 };
    const heights = (change: (height: number) => number | null): Transaction => ({
      ...(both[0] as Transaction),
      groups: [
        {
          outer: caller,
          inner: inner.map((each) => ({ ...each, stackHeight: change(each.stackHeight ?? 0) })),
        },
      ],
    });
    for (const transaction of [heights((height) => height + 1), heights(() => null)]) {
      expect(documentOf([transaction], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(alice));
      expect(documentOf([transaction], other.idOf(0))?.ownership["owner"]).toBe(encodeAddress(bob));
    }
  });

  test("takes no forged events of a program that called an unknown instruction", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const moved = tree.transfer(0, carol);
    const [{ outer: call, inner: events }] = moved.groups as [Transaction["groups"][number]];
    const unknown = { ...call, data: flipped(call.data, 0) };
    const caller = { programAddress: addressOf(50), accounts: [], data: new Uint8Array(0), stackHeight: 1 };
    // The caller logs the events itself, next to the call; without heights they look like the call's own.
    const forgedAt = (callHeight: number | null, eventHeight: number | null): Transaction => ({
      ...moved,
      groups: [
        {
          outer: caller,
          inner: [
            { ...unknown, stackHeight: callHeight },
            ...events.map((each) => ({ ...each, stackHeight: eventHeight })),
          ],
        },
      ],
    });
    for (const forged of [forgedAt(2, 2), forgedAt(null, null)])
      expect(documentOf([mint, forged], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(alice));
    expect(documentOf([mint, forgedAt(2, 3)], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(carol));
  });

  test("never throws, regardless of the bytes", () => {
    const tree = new BubblegumTree(1);
    const history = [tree.mintV1(alice), tree.mintV2(bob), tree.transfer(0, bob), tree.burn(1)];
    const damage = fc.record({ which: fc.nat(3), at: fc.nat(400), cut: fc.nat(400), inData: fc.boolean() });
    fc.assert(
      fc.property(damage, ({ which, at, cut, inData }) => {
        const spoil = (data: Uint8Array): Uint8Array => flipped(data.subarray(0, Math.max(cut, at)), at);
        const change = inData ? withData(spoil) : withInner((payloads) => payloads.map(spoil));
        const { states } = foldAll([change(history[which] as Transaction)]);
        for (const [key, state] of states) {
          const id = decodeAddress(key.split(" ")[1] as string);
          if (key.startsWith("leaf")) expect(compressedKind.derive(viewOf(id, state))?.record).not.toBeNull();
        }
      }),
    );
  });
});
