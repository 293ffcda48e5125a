// chain.on("slot"): what a listener gets as slots pass, are replaced, and are restored.

import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { createTestChain, type SlotEvent, type TestChain } from "./index.ts";

let chain: TestChain;
afterEach(() => chain.close());

const listen = (): { readonly seen: SlotEvent[]; readonly stop: () => void } => {
  const seen: SlotEvent[] = [];
  return { seen, stop: chain.on("slot", (event) => seen.push(event)) };
};

test("reports each new slot with the newest confirmed and finalized ones", async () => {
  chain = await createTestChain({ autoFinalize: false, firstSlot: 100 });
  const { seen, stop } = listen();
  const cat = await chain.mint({ kind: "core" });
  expect(seen).toEqual([{ slot: 101, confirmedSlot: null, finalizedSlot: null }]);
  await chain.advance({ slots: 40 });
  expect(seen).toHaveLength(41);
  expect(seen.at(-1)).toEqual({ slot: 141, confirmedSlot: 139, finalizedSlot: 109 });
  stop();
  await cat.transfer(chain.wallet("bob"));
  expect(seen).toHaveLength(41);
});

test("reports slots as finalized at once by default, and what a call answers is of that slot", async () => {
  chain = await createTestChain();
  const owners: Promise<string>[] = [];
  const bob = chain.wallet("bob");
  const cat = await chain.mint({ kind: "core" });
  const { seen } = listen();
  chain.on("slot", () => void owners.push(cat.get().then(({ ownership }) => ownership.owner)));
  await cat.transfer(bob);
  const { slot } = chain;
  expect(seen).toEqual([{ slot, confirmedSlot: slot, finalizedSlot: slot }]);
  expect(await Promise.all(owners)).toEqual([bob.address]);
});

test("goes on after a fork and a restore", async () => {
  chain = await createTestChain({ autoFinalize: false, firstSlot: 100 });
  await chain.advance({ slots: 4 });
  const snapshot = await chain.snapshot();
  const { seen } = listen();
  await chain.fork(2);
  await chain.advance({ slots: 1 });
  await chain.restore(snapshot);
  await chain.advance({ slots: 1 });
  expect(seen).toEqual([
    { slot: 105, confirmedSlot: 102, finalizedSlot: null },
    { slot: 106, confirmedSlot: 102, finalizedSlot: null },
    { slot: 104, confirmedSlot: 102, finalizedSlot: null },
    { slot: 105, confirmedSlot: 103, finalizedSlot: null },
  ]);
});

test("a listener that throws breaks neither the chain nor other listeners", async () => {
  chain = await createTestChain();
  const stops = [
    chain.on("slot", () => {
      throw new Error("broken listener");
    }),
    chain.on("slot", async () => {
      throw new Error("broken later");
    }),
  ];
  const { seen } = listen();
  const warnings: string[] = [];
  const keep = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", keep);
  await chain.mint({ kind: "core" });
  stops.forEach((stop) => stop());
  while (warnings.length < 2) await once(process, "warning");
  process.off("warning", keep);
  expect(warnings).toEqual([
    expect.stringContaining("broken listener"),
    expect.stringContaining("broken later"),
  ]);
  await chain.advance({ slots: 1 });
  expect(seen).toHaveLength(2);
});

test("refuses another event", async () => {
  chain = await createTestChain();
  expect(() => chain.on("block" as never, () => {})).toThrow('event must be "slot"');
  expect(() => chain.on("slot", null as never)).toThrow("listener must be a function");
});
