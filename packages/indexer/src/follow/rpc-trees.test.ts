// Slots wait for the transactions of the trees they wrote.

import { decodeAddress } from "@lamplight/codecs";
import { describe, expect, test } from "vitest";
import {
  useRpcNode,
  tree,
  store,
  ledger,
  node,
  overlay,
  problems,
  follow,
  until,
  startChain,
  stopChain,
} from "../../test/rpc-following.ts";

useRpcNode();

const listedNow = (): number =>
  ledger.blocks(0, ledger.final.slot).flatMap((each) => each.transactions).length;

describe("trees of compressed assets", () => {
  test("a slot that wrote a tree waits for the tree's transactions", async () => {
    await follow({ trees: [tree] });
    stopChain();
    node.missingMethods.add("getTransaction");
    let written = 0;
    while (written === 0) {
      const blocks = ledger.advance();
      written = blocks.find(({ transactions }) => transactions.length > 0)?.slot ?? 0;
      node.emit(blocks);
    }
    ledger.settle();
    await until(() => {
      node.emit(ledger.pass(1));
      return problems.length > 0;
    });
    expect(overlay!.state.confirmedSlot).toBeLessThan(written);
    node.missingMethods.clear();
    await until(() => {
      node.emit(ledger.pass(1));
      return overlay!.state.confirmedSlot > written;
    });
    expect(problems.join("\n")).toContain("Method not found");
  });

  test("a listing that lacks what was written is no answer yet: the slot waits", async () => {
    await follow({ trees: [tree] });
    stopChain();
    const fetched = node.calls.get("getTransaction") ?? 0;
    node.odd.set("getSignaturesForAddress", ["[]"]);
    let [written, count] = [0, 0];
    while (written === 0) {
      const blocks = ledger.advance();
      const block = blocks.find(({ transactions }) => transactions.length > 0);
      [written, count] = [block?.slot ?? 0, block?.transactions.length ?? 0];
      node.emit(blocks);
    }
    ledger.settle();
    await until(() => {
      node.emit(ledger.pass(1));
      return overlay!.state.confirmedSlot >= written;
    });
    expect(node.odd.get("getSignaturesForAddress")).toEqual([]);
    expect((node.calls.get("getTransaction") ?? 0) - fetched).toBeGreaterThanOrEqual(count);
  });

  test("a transaction that is listed and lasting not there leaves the tree incomplete, and ends nothing", async () => {
    while (listedNow() < 3) {
      ledger.advance();
      ledger.settle();
    }
    const count = listedNow();
    const reported = ledger.blocks(0, ledger.final.slot).flatMap(({ transactions }) => transactions);
    node.lost.add(reported[1]!.signature);
    await follow({ trees: [tree] });
    expect(
      problems.filter((problem) => problem.includes(`lacks transaction ${reported[1]!.signature}`)).length,
    ).toBe(1);
    expect(node.calls.get("getTransaction")).toBeGreaterThan(count);
    const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
    expect(row?.state).toContain('"ranges":[[0,0],[2,');
  });

  test("a tree's history of many pages is reported once, oldest first, and goes on with new transactions", async () => {
    // Nodes list a thousand at a time.
    for (let listed = 0; listed < 1100;) {
      listed += ledger.advance().flatMap(({ transactions }) => transactions).length;
    }
    ledger.settle();
    await follow({ trees: [tree] });
    const reported = ledger.blocks(0, ledger.final.slot).flatMap(({ transactions }) => transactions);
    expect(node.calls.get("getSignaturesForAddress")).toBeGreaterThan(1);
    expect(node.calls.get("getTransaction")).toBe(reported.length);
    const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
    expect(row?.state).toContain(`"ranges":[[0,${reported.length - 1}]]`);
    stopChain();
    let more = 0;
    while (more === 0) {
      const blocks = ledger.advance();
      more = blocks.flatMap(({ transactions }) => transactions).length;
      node.emit(blocks);
    }
    ledger.settle();
    startChain();
    await until(() => node.calls.get("getTransaction")! >= reported.length + more);
  });
});
