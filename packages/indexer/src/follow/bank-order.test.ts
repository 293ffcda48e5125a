// Messages of the banks of one slot in every order that threads of a node may bring about.

import type { ChainEvent, Slot } from "@lamplight/core";
import { beforeEach, describe, expect, test } from "vitest";
import { type BankNames, bankNames, BankScript, write } from "../../test/bank-recipes.ts";
import { emit, follower, lamportsOf, overlay, ROOT_SLOT, store, useFork } from "../../test/followed-fork.ts";

useFork(() => [write(ROOT_SLOT, 2, 100n)]);
beforeEach(() => emit({ kind: "restart", from: null }));

const watermark = async (): Promise<unknown> => (await store.readWatermark())?.blockhash;

/** Two banks of slot 11. */
const banksOf = (names: BankNames): readonly [BankScript, BankScript] => [
  new BankScript(names, 7n, 11, ROOT_SLOT),
  new BankScript(names, 3n, 11, ROOT_SLOT),
];

/** A whole bank that writes one account. */
const whole = (bank: BankScript, number: number, blockhash: string): readonly ChainEvent[] => [
  bank.created(),
  bank.writes(number, 5n),
  bank.block(blockhash, "root"),
  bank.complete(),
];

describe("where all messages name the bank", () => {
  test("the one that is confirmed counts, though another one was made later", async () => {
    const [a, b] = banksOf("all");
    await emit(...whole(a, 1, "A"), ...whole(b, 2, "B"), a.confirmed());
    expect(overlay.state).toMatchObject({ confirmedSlot: 11, processedSlot: 11 });
    expect([await lamportsOf(1), await lamportsOf(2)]).toEqual([5n, 100n]);
    await emit(b.writes(3, 1n), a.finalized());
    expect(await watermark()).toBe("A");
    expect(await lamportsOf(3)).toBe(undefined);
  });

  test("what comes late of another one is dropped, transactions and its end too", async () => {
    const [a, b] = banksOf("all");
    await emit(a.created(), a.writes(2, 7n), b.created(), a.transaction("late"), a.complete());
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(b.writes(1, 6n), a.block("A", "root"), a.complete(), b.block("B", "root"), b.complete());
    expect([await lamportsOf(1), await lamportsOf(2)]).toEqual([6n, 100n]);
    const { unfinalizedBytes } = overlay.state;
    await emit(a.transaction("later"), a.writes(3, 1n), b.confirmed(), b.finalized(), a.finalized());
    expect(unfinalizedBytes).toBe(0);
    expect(await watermark()).toBe("B");
    expect(await lamportsOf(3)).toBe(undefined);
  });

  test("a bank of which nothing was reported may be confirmed: the slot is missing until it comes", async () => {
    const [a, b] = banksOf("all");
    await emit(...whole(a, 1, "A"), b.confirmed(), b.finalized());
    expect(overlay.state).toMatchObject({ finalizedSlot: ROOT_SLOT, processedSlot: ROOT_SLOT });
    expect(follower.state.gap).toEqual({ finalizedSlot: ROOT_SLOT, missing: 11 });
    const again = new BankScript("all", 1n, 11, ROOT_SLOT);
    await emit({ kind: "restart" }, ...whole(again, 3, "B"), again.finalized());
    expect(await watermark()).toBe("B");
    expect(await lamportsOf(1)).toBe(undefined);
  });

  test("its first writes may come before its creation", async () => {
    const [a, b] = banksOf("all");
    await emit(...whole(a, 1, "A"), b.writes(2, 8n), b.created(), b.writes(3, 9n));
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(b.block("B", "root"), b.complete(), b.finalized());
    expect([await lamportsOf(1), await lamportsOf(2), await lamportsOf(3)]).toEqual([undefined, 8n, 9n]);
  });
});

describe("where statuses do not name the bank", () => {
  test("its first writes may come before its creation too", async () => {
    const [a, b] = banksOf("data");
    await emit(...whole(a, 1, "A"), b.writes(2, 8n), b.created(), b.writes(3, 9n), a.writes(4, 1n));
    await emit(b.block("B", "root"), b.complete(), b.finalized());
    expect([await lamportsOf(1), await lamportsOf(2), await lamportsOf(3)]).toEqual([undefined, 8n, 9n]);
    expect(await lamportsOf(4)).toBe(undefined);
  });

  test("its first writes may come before its creation, and the first bank may have none", async () => {
    const [a, b] = banksOf("data");
    await emit(a.created(), b.writes(2, 8n), b.created(), b.writes(3, 9n), a.complete());
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(b.block("B", "root"), b.complete(), b.finalized());
    expect([await lamportsOf(2), await lamportsOf(3)]).toEqual([8n, 9n]);
  });

  test("transactions that come late are dropped, of a bank with no writes too", async () => {
    const [a, b] = banksOf("data");
    await emit(a.created(), a.transaction("first"), b.created(), a.transaction("late"), b.writes(1, 6n));
    await emit(a.complete(), a.transaction("later"));
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(b.block("B", "root"), b.complete());
    expect(overlay.state.unfinalizedBytes).toBe(0);
    await emit(b.transaction("of B"), b.finalized());
    expect(await watermark()).toBe("B");
  });
});

describe.each(bankNames)("where %s of the messages name the bank", (names) => {
  test("numbers of banks mean nothing in another stream", async () => {
    const [a, b] = banksOf(names);
    const [again, other] = [a, b];
    await emit(...whole(a, 1, "A"));
    // The same number is another bank there, and another number is the same block.
    await emit({ kind: "restart" }, ...whole(again, 2, "B"));
    expect([await lamportsOf(1), await lamportsOf(2)]).toEqual([undefined, 5n]);
    const { replacedSlots } = follower.state;
    await emit({ kind: "restart" }, ...whole(other, 2, "B"), other.finalized());
    expect(follower.state.replacedSlots).toBe(replacedSlots);
    expect(await watermark()).toBe("B");
  });

  test("a third bank follows the second", async () => {
    const [a, b] = banksOf(names);
    const c = new BankScript(names, 9n, 11, ROOT_SLOT);
    await emit(...whole(a, 1, "A"), ...whole(b, 2, "B"), ...whole(c, 3, "C"), c.confirmed(), c.finalized());
    expect(await watermark()).toBe("C");
    expect([await lamportsOf(1), await lamportsOf(2)]).toEqual([undefined, 100n]);
  });

  test("the slot may be finalized without having been confirmed, or confirmed afterwards", async () => {
    const [, b] = banksOf(names);
    const child = new BankScript(names, 8n, 12, 11);
    await emit(...whole(b, 1, "B"), b.finalized(), b.confirmed(), b.writes(2, 1n));
    await emit(child.created(), child.block("child", "B"), child.complete());
    expect(overlay.state).toMatchObject({ finalizedSlot: 11, confirmedSlot: 11, processedSlot: 12 });
    expect(await lamportsOf(2)).toBe(100n);
  });

  test("a slot that was confirmed by its number is made again, and its second bank is confirmed", async () => {
    const [a, b] = banksOf(names === "all" ? "data" : names);
    await emit(...whole(a, 1, "A"), a.confirmed());
    await emit(b.created());
    expect(overlay.state).toMatchObject({ confirmedSlot: ROOT_SLOT, processedSlot: ROOT_SLOT });
    await emit(b.writes(2, 5n), b.block("B", "root"), b.complete());
    expect(overlay.state).toMatchObject({ confirmedSlot: 11, processedSlot: 11 });
    expect(await lamportsOf(1)).toBe(undefined);
  });

  test("of a slot that an earlier stream completed, no bank counts but the last", async () => {
    const [a, b] = banksOf(names);
    const child = new BankScript(names, 8n, 12, 11);
    await emit(...whole(a, 1, "A"), child.created(), child.block("child", "A"), child.complete());
    expect(overlay.state.processedSlot).toBe(12);
    await emit({ kind: "restart", from: null }, a.created(), a.writes(1, 5n), b.created());
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(b.writes(2, 7n), b.block("B", "root"), b.complete(), b.finalized());
    expect(overlay.state).toMatchObject({ finalizedSlot: 11, processedSlot: 11 });
    expect([await lamportsOf(1), await lamportsOf(2)]).toEqual([undefined, 7n]);
  });

  test("hundreds of banks of one slot take no more memory than some", async () => {
    for (let bank = 100n; bank < 400n; bank += 1n)
      await emit(...whole(new BankScript(names, bank, 11, ROOT_SLOT), Number(bank % 200n), `${bank}`));
    expect(follower.state.stagedVersions).toBeLessThan(40);
    await emit(new BankScript(names, 399n, 11, ROOT_SLOT).finalized());
    expect(await watermark()).toBe("399");
  });

  test("a slot that died with its bank takes nothing of it into the next", async () => {
    const [a, b] = banksOf(names);
    await emit(a.created(), a.writes(1, 5n), a.block("A", "root"), a.dead(), a.complete());
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(...whole(b, 2, "B"), b.finalized());
    expect([await watermark(), await lamportsOf(1)]).toEqual(["B", undefined]);
  });
});

/** A bank without a number, on the slot before. */
const on = (slot: Slot): BankScript => new BankScript("none", 0n, slot, slot - 1);

const slot12 = (parentBlockhash: string): readonly ChainEvent[] => [
  on(12).created(),
  on(12).block("child", parentBlockhash),
  on(12).complete(),
];

describe("where no message names the bank", () => {
  test("a second block of the slot shows that its creation was lost: nothing of the slot is used", async () => {
    const [a, b] = banksOf("none");
    await emit(...whole(a, 1, "A"), b.writes(2, 7n), b.block("B", "root"), b.complete());
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(...slot12("B"), on(12).finalized());
    expect(follower.state.gap).toEqual({ finalizedSlot: ROOT_SLOT, missing: 11 });
    await emit({ kind: "restart" }, ...whole(b, 3, "B"), ...slot12("B"));
    expect(overlay.state.finalizedSlot).toBe(12);
    expect([await lamportsOf(1), await lamportsOf(3)]).toEqual([undefined, 5n]);
  });

  test("descendants of any depth are made again with it", async () => {
    const chain = (mark: string): readonly ChainEvent[] =>
      [11, 12, 13, 14].flatMap((slot) => [
        on(slot).created(),
        on(slot).writes(slot, mark === "A" ? 1n : 2n),
        on(slot).block(`${mark}${slot}`, slot === 11 ? "root" : `${mark}${slot - 1}`),
        on(slot).complete(),
      ]);
    await emit(...chain("A"));
    expect(overlay.state.processedSlot).toBe(14);
    const second = chain("B");
    await emit(second[0]!);
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    // The ends of the first banks come late.
    await emit(on(13).complete(), on(14).complete());
    expect(overlay.state.processedSlot).toBe(ROOT_SLOT);
    await emit(...second.slice(1), on(14).finalized());
    expect(await watermark()).toBe("B14");
    expect(await Promise.all([11, 12, 13, 14].map(lamportsOf))).toEqual([2n, 2n, 2n, 2n]);
  });
});
