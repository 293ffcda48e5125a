import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type AssetQuery,
  type ChangeSet,
  type Commitment,
  type IndexStore,
  type Slot,
  reads,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "./fork-overlay.ts";
import type { ForkOverlayOptions } from "./overlay-options.ts";

const ROOT = 10;
const address = (number: number): Uint8Array => new Uint8Array(32).fill(number);

const write = (slot: Slot, lamports: bigint, number = 1): Account => ({
  address: address(number),
  programOwner: address(0),
  lamports,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion: 0,
});

let folder: string;
let store: IndexStore;
let reader: SqliteReader;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-overlay-"));
  const file = join(folder, "index.db");
  store = openSqliteStore({ file, mode: "write" });
  reader = openSqliteReader({ file });
});
afterEach(async () => {
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const openOverlay = async (options: Partial<ForkOverlayOptions> = {}): Promise<ForkOverlay> => {
  await createIndexer(store).applyAccounts([write(ROOT, 1n)], { slot: ROOT, blockhash: "root" });
  return ForkOverlay.open({ store, viewSource: reader, ...options });
};

const add = (overlay: ForkOverlay, slot: Slot, parent: Slot, accounts: readonly Account[]): Promise<void> =>
  overlay.add({ slot, parent, blockhash: `hash ${slot}`, accounts, transactions: [] });

/** Slot and lamports of account 1 at a commitment. */
const seen = async (overlay: ForkOverlay, commitment: Commitment): Promise<unknown> => {
  const view = await overlay.openView(commitment);
  try {
    return [view.slot, (await view.read(reads.account(address(1))))?.lamports ?? null];
  } finally {
    view.close();
  }
};

/** A token account; delegated to account 7 or to no one. */
const tokenAccount = (slot: Slot, number: number, isDelegated: boolean): Account => {
  const data = new Uint8Array(165);
  if (isDelegated) data.set(address(7), 76);
  data[72] = Number(isDelegated);
  data[108] = 1;
  return { ...write(slot, 1n, number), programOwner: programAddresses.token, data };
};

const numbersOf = (accounts: readonly Account[]): number[] => accounts.map((one) => one.address[0]!);

describe("ForkOverlay", () => {
  test("answers the accounts of a delegate in pages that are full, regardless of what slots changed", async () => {
    const overlay = await openOverlay();
    await add(
      overlay,
      11,
      ROOT,
      [20, 30, 40, 50, 60, 130, 140, 150].map((number) => tokenAccount(11, number, true)),
    );
    await overlay.finalize(11);
    await add(overlay, 12, 11, [
      ...[30, 40, 50, 150].map((number) => tokenAccount(12, number, false)),
      ...[10, 45, 60, 145, 160].map((number) => tokenAccount(12, number, true)),
    ]);
    const view = await overlay.openView("processed");
    const query = { delegate: address(7), tokenProgram: programAddresses.token, mint: null };
    const expected = [10, 20, 45, 60, 130, 140, 145, 160];
    expect(numbersOf(await view.read(reads.moreDelegated(query)))).toEqual(expected);
    for (let limit = 1; limit <= expected.length + 1; limit++)
      for (let from = 0; from <= expected.length; from++) {
        const after = from === 0 ? {} : { after: address(expected[from - 1]!) };
        const page = await view.read(reads.moreDelegated({ ...query, ...after, limit }));
        expect(numbersOf(page)).toEqual(expected.slice(from, from + limit));
      }
    view.close();
  });

  test("has nothing to build on before the first watermark", async () => {
    await expect(ForkOverlay.open({ store, viewSource: reader })).rejects.toMatchObject({
      code: "STORE__LOADING",
    });
  });

  test.each(["after", "before"] as const)(
    "refuses an unknown `%s` in the words of the store",
    async (kind) => {
      const overlay = await openOverlay();
      await add(overlay, 11, ROOT, [write(11, 2n)]);
      const query: AssetQuery = {
        criteria: [],
        match: "all",
        negate: false,
        sort: "id",
        direction: "asc",
        start: { kind, id: address(9) },
        limit: 10,
      };
      for (const source of [overlay, reader]) {
        const view = await source.openView("processed");
        await expect((async () => view.read(reads.search(query)))()).rejects.toThrow(
          `Invalid params: ${kind} is not a known asset`,
        );
        view.close();
      }
    },
  );

  test("reads the ancestors of the confirmed slot, and forgets the fork next to the finalized slot", async () => {
    const overlay = await openOverlay();
    await add(overlay, 11, ROOT, [write(11, 2n)]);
    await add(overlay, 12, ROOT, [write(12, 3n)]);
    expect(await seen(overlay, "processed")).toEqual([12, 3n]);
    overlay.confirm(11);
    // Slot 12 is newer, but stands next to what is confirmed.
    expect(await seen(overlay, "processed")).toEqual([11, 2n]);
    expect(await seen(overlay, "finalized")).toEqual([ROOT, 1n]);
    expect(overlay.state.forks).toBe(2);
    await overlay.finalize(11);
    expect(overlay.state.forks).toBe(0);
    for (const commitment of ["processed", "confirmed", "finalized"] as const)
      expect(await seen(overlay, commitment)).toEqual([11, 2n]);
    expect(overlay.state).toMatchObject({
      finalizedSlot: 11,
      unfinalizedSlots: 0,
      unfinalizedVersions: 0,
      unfinalizedBytes: 0,
      droppedSlots: 1,
    });
    expect(await store.readWatermark()).toEqual({ slot: 11, blockhash: "hash 11" });
  });

  test("a closed account is gone on its fork only", async () => {
    const overlay = await openOverlay();
    await add(overlay, 11, ROOT, [write(11, 0n)]);
    expect(await seen(overlay, "processed")).toEqual([11, null]);
    const isClosed = async (number: number): Promise<boolean> => {
      const view = await overlay.openView("processed");
      try {
        return await view.read(reads.isClosed(address(number)));
      } finally {
        view.close();
      }
    };
    expect([await isClosed(1), await isClosed(2)]).toEqual([true, false]);
    await add(overlay, 12, ROOT, [write(12, 5n, 2)]);
    expect(await seen(overlay, "processed")).toEqual([12, 1n]);
    expect([await isClosed(1), await isClosed(2)]).toEqual([false, false]);
    // Above a root that closed it, an account can live again.
    await add(overlay, 13, ROOT, [write(13, 0n)]);
    overlay.confirm(13);
    await overlay.finalize(13);
    expect(await isClosed(1)).toBe(true);
    await add(overlay, 14, 13, [write(14, 6n)]);
    expect(await isClosed(1)).toBe(false);
  });

  test("passes over closings of accounts it never knew, where the stream reports every death", async () => {
    const overlay = await openOverlay({ ignoreUnknownClosings: true });
    await add(overlay, 11, ROOT, [write(11, 0n), write(11, 0n, 2)]);
    expect(overlay.state.unfinalizedVersions).toBe(1);
    await overlay.finalize(11);
    expect(await seen(overlay, "finalized")).toEqual([11, null]);
    expect(await store.readAccountStates([address(2)])).toEqual([null]);
  });

  test("a view stays at its slot while the finalized slot moves past it", async () => {
    const overlay = await openOverlay();
    await add(overlay, 11, ROOT, [write(11, 2n)]);
    const view = await overlay.openView("processed");
    await add(overlay, 12, 11, [write(12, 3n)]);
    await overlay.finalize(12);
    expect([view.slot, (await view.read(reads.account(address(1))))?.lamports]).toEqual([11, 2n]);
    view.close();
    expect(await seen(overlay, "confirmed")).toEqual([12, 3n]);
  });

  test("a dead slot takes with it what was built on it", async () => {
    const overlay = await openOverlay();
    await add(overlay, 11, ROOT, [write(11, 2n)]);
    await add(overlay, 12, 11, [write(12, 3n)]);
    overlay.drop(11);
    expect(await seen(overlay, "processed")).toEqual([ROOT, 1n]);
    await expect(add(overlay, 13, 12, [])).rejects.toMatchObject({ code: "CHAIN__PARENT_UNKNOWN" });
  });

  test("roots many slots in one commit with the last watermark, in the same turn for those who follow", async () => {
    const commits: [ChangeSet["watermark"], Slot][] = [];
    let finalizedSlot = (): Slot => ROOT;
    const overlay = await openOverlay({
      onCommit: ({ watermark }) => commits.push([watermark, finalizedSlot()]),
    });
    finalizedSlot = () => overlay.state.finalizedSlot;
    await add(overlay, 11, ROOT, [write(11, 2n)]);
    await add(overlay, 12, 11, [write(12, 3n)]);
    await overlay.finalize(12);
    expect(commits).toEqual([[{ slot: 12, blockhash: "hash 12" }, 12]]);
  });

  test.each([
    ["slots", { slotsMax: 2 }],
    ["versions", { versionsMax: 2 }],
    ["bytes", { bytesMax: 2000 }],
  ])(
    "over its %s it answers finalized only, takes no more, and recovers with the root",
    async (_, bounds) => {
      const overlay = await openOverlay(bounds);
      const data = new Uint8Array(1000);
      await add(overlay, 11, ROOT, [{ ...write(11, 2n), data }]);
      await add(overlay, 12, 11, [{ ...write(12, 3n), data }]);
      expect(overlay.state.unfinalizedBytes).toBe(2000);
      const context = { finalizedSlot: ROOT, slots: 2, versions: 2, bytes: 2000 };
      const stalled = { code: "CHAIN__FINALITY_STALLED", context };
      await expect(add(overlay, 13, 12, [])).rejects.toMatchObject(stalled);
      await expect(overlay.openView("processed")).rejects.toMatchObject(stalled);
      await expect(overlay.openView("confirmed")).rejects.toMatchObject(stalled);
      expect(await seen(overlay, "finalized")).toEqual([ROOT, 1n]);
      await overlay.finalize(11);
      expect(overlay.state).toMatchObject({ unfinalizedSlots: 1, unfinalizedBytes: 1000 });
      await add(overlay, 13, 12, [write(13, 4n)]);
      await overlay.finalize(12);
      expect(await seen(overlay, "processed")).toEqual([13, 4n]);
    },
  );
});
