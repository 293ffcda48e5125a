// Numbers that no chain reaches, and chains that do go far.

import { noFaults } from "@lamplight/devchain/upstream";
import { describe, expect, test } from "vitest";
import {
  useRpcNode,
  text,
  token,
  tree,
  ledger,
  node,
  overlay,
  source,
  stopping,
  running,
  problems,
  follow,
  until,
  find,
  some,
  startChain,
  stopChain,
} from "../../test/rpc-following.ts";

useRpcNode();

describe("slots from far away", () => {
  test("a slot from far away is trouble of one connection, and no data", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    node.faults = { ...noFaults, far: 100 };
    node.emit(ledger.write([{ ...account, lamports: 55n }]));
    await until(() => problems.length > 0);
    node.faults = noFaults;
    expect(problems[0]).toMatch(/is at slot 1\d{9}, far ahead of slot \d{4}, the node's last known slot/u);
    await until(async () => (await find(address, "finalized"))?.lamports === 55n);
    const newest = Math.max(overlay!.state.processedSlot, source.state.nodeSlot, source.state.finalizedSlot);
    expect(newest).toBeLessThanOrEqual(ledger.tip.slot);
  });

  test("far answers are asked for again, and nothing of them is reported", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token], trees: [tree] }, 20);
    node.faults = { ...noFaults, far: 40 };
    const { slot } = ledger.write([{ ...account, lamports: 56n }])[0]!;
    // The further the chain goes while most answers are not believed, the more of them must agree.
    await until(() => source.state.rescanSlot > slot || problems.length > 10);
    node.faults = noFaults;
    await until(async () => (await find(address, "finalized"))?.lamports === 56n);
    expect(overlay!.state.processedSlot).toBeLessThanOrEqual(ledger.tip.slot);
  });

  test("a node that was believed to be far away, and is not, is gone on with", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    stopChain();
    const { subscriptions } = node;
    node.faults = { ...noFaults, far: 100 };
    node.cutOff();
    await until(() => source.state.connections === 2 && node.subscriptions === subscriptions);
    // It shows where it is, and is read as of slots that are far away.
    const { faults } = node;
    node.faults = noFaults;
    node.emit(ledger.pass(1));
    node.faults = faults;
    await until(() => source.state.mode === "listening");
    // Everything was read as of slots that are far away, and nothing is reported yet.
    node.faults = noFaults;
    startChain();
    node.emit(ledger.write([{ ...account, lamports: 58n }]));
    await until(async () => (await find(address, "finalized"))?.lamports === 58n);
    expect(overlay!.state.processedSlot).toBeLessThanOrEqual(ledger.tip.slot);
    expect(source.state.finalizedSlot).toBeLessThanOrEqual(ledger.tip.slot);
  });

  test.each(["listening", "behind", "stopped"])(
    "%s, it goes on though millions of slots have passed",
    async (how) => {
      const account = some(({ programOwner }) => text(programOwner) === token);
      const address = text(account.address);
      await follow({ programs: [token] });
      await until(() => overlay!.state.finalizedSlot > 0);
      if (how === "behind") {
        // Everything is read again, and waits for who answers, while the chain goes far away.
        node.lagBlocks = 100;
        node.cutOff();
        await until(() => source.state.retries > 2);
      }
      if (how === "stopped") {
        stopChain();
        stopping.abort();
        await running;
      }
      const slot = ledger.skip(5_000_000);
      const before = node.calls.get("getBlocks") ?? 0;
      node.emit(ledger.write([{ ...account, lamports: 57n }]));
      if (how === "stopped") await follow({ programs: [token] });
      await until(async () => (await find(address, "finalized"))?.lamports === 57n);
      expect(overlay!.state.finalizedSlot).toBeGreaterThan(slot);
      expect(node.calls.get("getBlocks")! - before).toBeLessThan(200);
    },
  );
});
