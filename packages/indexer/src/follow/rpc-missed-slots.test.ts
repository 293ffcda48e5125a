// A node that drops the bank of a slot before it notifies it, as under Alpenglow, where confirmed slots are finalized.

import { Random } from "@lamplight/devchain";
import { noFaults } from "@lamplight/devchain/upstream";
import { type Account, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import {
  find,
  follow,
  ledger,
  NEVER,
  node,
  overlay,
  some,
  source,
  startChain,
  stopChain,
  text,
  token,
  until,
  useRpcNode,
} from "../../test/rpc-following.ts";

useRpcNode();

const callsFor = (method: string): number => node.calls.get(method) ?? 0;

/** Blocks of one root. The node notifies all but the last by their slot numbers alone. */
const emitRoot = (blocks: ReturnType<typeof ledger.write>): void => {
  ledger.finalizeAll();
  for (const block of blocks) {
    node.faults = { ...noFaults, skipped: block === blocks.at(-1) ? 0 : 100 };
    node.emit([block]);
  }
  node.faults = noFaults;
};

const followed = (): Account => some(({ programOwner }) => text(programOwner) === token);

describe("a slot that a node did not notify", () => {
  test.each(["with", "without"])("is read before it is reported, %s getBlocks", async (how) => {
    const account = followed();
    const address = text(account.address);
    await follow({ programs: [token] });
    stopChain();
    // The test first waits for reports that are still on their way.
    await until(() => overlay!.state.confirmedSlot >= ledger.tip.slot - 1);
    if (how === "without") node.missingMethods.add("getBlocks");
    const from = ledger.tip.slot;
    const wrong: number[] = [];
    const note = async (): Promise<void> => {
      const view = await overlay!.openView("confirmed");
      const found = await view.read(reads.account(account.address));
      if (view.slot > from && found?.lamports !== 99n) wrong.push(view.slot);
      view.close();
    };
    emitRoot([...ledger.write([{ ...account, lamports: 99n }]), ...ledger.pass(1)]);
    await until(async () => {
      await note();
      emitRoot(ledger.pass(1));
      return wrong.length > 0 || (await find(address, "finalized"))?.lamports === 99n;
    });
    expect(wrong).toEqual([]);
    expect(source.state.missedSlots).toBeGreaterThan(0);
    expect(source.state.rollbacks).toBe(0);
  });

  test("skipped numbers cost nothing where the parent of the next slot is known", async () => {
    await follow({ programs: [token] });
    stopChain();
    await until(() => overlay!.state.confirmedSlot >= ledger.tip.slot - 1);
    const before = [callsFor("getProgramAccounts"), callsFor("getMultipleAccounts")];
    for (let block = 0; block < 50; block += 1) {
      ledger.skip(1 + (block % 3));
      node.emit(ledger.pass(1));
      // Each is reported with the next one, without an answer of the node.
      const parent = ledger.tip.parent;
      await until(() => overlay!.state.confirmedSlot >= parent);
    }
    expect([callsFor("getProgramAccounts"), callsFor("getMultipleAccounts")]).toEqual(before);
    expect(source.state.missedSlots).toBe(0);
  });

  test.each(Array.from({ length: 6 }, (_, index) => index + 1))(
    "seed %i: every reported slot holds what the chain has written by then",
    async (seed) => {
      const random = new Random(seed, 700, 0);
      const accounts = [...ledger.stateAt(ledger.tip.slot).values()].filter(
        ({ programOwner }) => text(programOwner) === token,
      );
      await follow({ programs: [token] }, random.percent(50) ? NEVER : 30);
      stopChain();
      const differing: string[] = [];
      const check = async (): Promise<void> => {
        const view = await overlay!.openView("confirmed");
        const truth = ledger.stateAt(view.slot);
        for (const { address } of accounts) {
          const [is, right] = [await view.read(reads.account(address)), truth.get(text(address))];
          if (is?.lamports !== right?.lamports) differing.push(`slot ${view.slot}: ${text(address)}`);
        }
        view.close();
      };
      for (let step = 0; step < 60; step += 1) {
        const blocks = Array.from({ length: random.between(1, 3) }, () => {
          if (random.percent(20)) ledger.skip(random.between(1, 3));
          const written = accounts.filter(() => random.percent(10));
          return ledger
            .write(written.map((each) => ({ ...each, lamports: BigInt(random.below(1000)) + 1n })))
            .at(-1)!;
        });
        ledger.finalizeAll();
        for (const block of blocks) {
          node.faults = { ...noFaults, skipped: random.percent(30) ? 100 : 0 };
          node.emit([block]);
        }
        node.faults = noFaults;
        if (random.percent(60)) await new Promise((resolve) => setTimeout(resolve, random.below(6)));
        await check();
      }
      const settled = ledger.tip.slot;
      startChain();
      await until(async () => {
        await check();
        return overlay!.state.finalizedSlot > settled;
      });
      expect(differing, `seed ${seed}`).toEqual([]);
      expect(source.state.rollbacks).toBe(0);
    },
  );
});
