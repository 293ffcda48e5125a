// Tests of the slots that become final, of rolled back ones, and of reports in the meantime.

import { describe, expect, test } from "vitest";
import {
  useRpcNode,
  text,
  token,
  store,
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

describe("what becomes final", () => {
  test("a confirmed slot that does not become final is rolled back, and never reaches the store", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    stopChain();
    const before = await find(address, "finalized");
    node.emit(ledger.write([{ ...account, lamports: 99n }]));
    // The test waits until the slot is complete, but not final.
    await until(async () => {
      node.emit(ledger.pass(1));
      return (await find(address, "confirmed"))?.lamports === 99n;
    });
    expect((await find(address, "finalized"))?.lamports).toBe(before!.lamports);
    ledger.rollBack();
    startChain();
    await until(async () => (await find(address, "confirmed"))?.lamports === account.lamports);
    expect(source.state.rollbacks).toBeGreaterThan(0);
    expect(problems.join("\n")).toContain("was confirmed and did not become final");
    await until(() => overlay!.state.finalizedSlot > ledger.final.slot - 5);
    expect((await find(address, "finalized"))?.lamports).toBe(account.lamports);
  });

  test("what was rolled back and comes again is reported again", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    stopChain();
    node.emit(ledger.write([{ ...account, lamports: 99n }]));
    await until(async () => {
      node.emit(ledger.pass(1));
      return (await find(address, "confirmed"))?.lamports === 99n;
    });
    ledger.rollBack();
    ledger.write([{ ...account, lamports: 99n }]);
    startChain();
    await until(async () => (await find(address, "finalized"))?.lamports === 99n);
    expect(source.state.rollbacks).toBeGreaterThan(0);
  });

  test("hashes are asked of final slots only, and kept where the store stands", async () => {
    await follow({ programs: [token] });
    stopChain();
    const [asked, reported] = [node.calls.get("getBlock") ?? 0, overlay!.state.confirmedSlot];
    await until(() => {
      node.emit(ledger.pass(1));
      return overlay!.state.confirmedSlot > reported + 10;
    });
    // The source may still ask about slots that were final before.
    expect(node.calls.get("getBlock")! - asked).toBeLessThan(5);
    await until(async () => {
      ledger.finalizeAll();
      node.emit(ledger.pass(1));
      return ((await store.readWatermark())?.slot ?? 0) > reported + 5;
    });
    const { slot, blockhash } = (await store.readWatermark())!;
    expect(blockhash).toBe(ledger.block(slot)!.blockhash);
  });

  test("slots are reported while a hash does not come, and become final without it", async () => {
    await follow({ programs: [token] });
    node.silentMethods.add("getBlock");
    const asked = node.calls.get("getBlock")!;
    const { confirmedSlot, finalizedSlot } = overlay!.state;
    await until(() => overlay!.state.confirmedSlot > confirmedSlot + 20);
    await until(() => overlay!.state.finalizedSlot > finalizedSlot + 20);
    expect(node.calls.get("getBlock")! - asked).toBeLessThan(4);
    expect((await store.readWatermark())?.blockhash).toBe(null);
  });

  test("slots are reported while it is not answered which are final, and a stop is obeyed next to it", async () => {
    await follow({ programs: [token] });
    node.silentMethods.add("getBlocks");
    const asked = node.calls.get("getBlocks")!;
    await until(() => node.calls.get("getBlocks")! > asked);
    const { confirmedSlot, finalizedSlot } = overlay!.state;
    await until(() => overlay!.state.confirmedSlot > confirmedSlot + 20);
    // The source may still report answers that it received before.
    expect(overlay!.state.finalizedSlot).toBeLessThanOrEqual(finalizedSlot + 5);
    expect(node.calls.get("getBlocks")! - asked).toBe(1);
    stopChain();
    stopping.abort();
    await running;
    node.silentMethods.clear();
    await follow({ programs: [token] });
    await until(() => overlay!.state.finalizedSlot > confirmedSlot);
  });

  test("where blocks are not served, the finalized slot's number is believed", async () => {
    node.missingMethods.add("getBlocks").add("getBlock");
    await follow({ programs: [token] });
    const finalized = overlay!.state.finalizedSlot;
    await until(() => overlay!.state.finalizedSlot > finalized);
    expect(source.state.checksBlocks).toBe(false);
    expect((await store.readWatermark())?.blockhash).toBe(null);
  });
});
