// Tests of what an ordinary node reports and leaves out, one thing at a time.

import { noFaults } from "@lamplight/devchain/upstream";
import { describe, expect, test } from "vitest";
import {
  useRpcNode,
  text,
  token,
  ledger,
  node,
  source,
  problems,
  follow,
  until,
  find,
  some,
  closed,
  stopChain,
} from "../../test/rpc-following.ts";

useRpcNode();

describe("following an RPC node", () => {
  test("a write is reported; no notification reports a closed account of a program; the full rescan finds it", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] }, 50);
    node.emit(ledger.write([{ ...account, lamports: 77n }]));
    await until(async () => (await find(address, "confirmed"))?.lamports === 77n);
    node.emit(ledger.write([closed(account)]));
    await until(async () => (await find(address, "confirmed")) === null);
    await until(async () => (await find(address, "finalized")) === null);
    expect(problems).toEqual([]);
  });

  test("the end of a single account is reported at once, without any full rescan", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ accounts: [address] });
    expect((await find(address, "confirmed"))?.lamports).toBe(account.lamports);
    node.emit(ledger.write([closed(account)]));
    await until(async () => (await find(address, "finalized")) === null);
  });

  test("a scan that lacks accounts buries no one: each is asked for first", async () => {
    const address = text(some(({ programOwner }) => text(programOwner) === token).address);
    await follow({ programs: [token] }, 20);
    node.faults = { ...noFaults, incomplete: 100 };
    const known = source.state.knownAccounts;
    const { slot } = ledger.tip;
    await until(() => source.state.rescanSlot > slot);
    expect(source.state.knownAccounts).toBe(known);
    expect(await find(address, "confirmed")).not.toBe(null);
    expect(node.calls.get("getMultipleAccounts")).toBeGreaterThan(2);
  });

  test("a lost connection is restarted, and what it missed is read", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    node.cutOff();
    ledger.write([{ ...account, lamports: 88n }]);
    await until(async () => (await find(address, "confirmed"))?.lamports === 88n);
    expect(source.state.connections).toBeGreaterThan(1);
    expect(problems[0]).toContain("the WebSocket was closed");
  });

  test("targets that change again and again cost one connection and one reading each", async () => {
    const address = text(some(({ programOwner }) => text(programOwner) === token).address);
    await follow({ programs: [token] });
    const { connections } = source.state;
    const readings = node.calls.get("getProgramAccounts")!;
    for (let change = 1; change <= 4; change += 1) {
      const lastReading = source.state.rescanStartedMs;
      const targets = { ...source.asked, accounts: change % 2 === 0 ? [] : [address] };
      source.subscribe(targets);
      await until(
        () =>
          source.state.connections === connections + change && source.state.rescanStartedMs !== lastReading,
      );
      expect([source.asked, source.state.mode]).toEqual([targets, "listening"]);
      expect(node.calls.get("getProgramAccounts")).toBe(readings + change);
    }
    expect(problems).toEqual([]);
  });

  test("after a lost connection, answers from before it count for nothing", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    stopChain();
    node.faults = { ...noFaults, stale: 60 };
    for (let round = 1n; round <= 12n; round += 1n) {
      node.cutOff();
      ledger.write([{ ...account, lamports: round }]);
      await until(async () => {
        if (node.subscriptions > 0) node.emit(ledger.pass(1));
        await new Promise((resolve) => setTimeout(resolve, 10));
        return (await find(address, "confirmed"))?.lamports === round;
      });
    }
  });
});
