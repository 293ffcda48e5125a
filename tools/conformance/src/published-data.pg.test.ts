// Large data that slots leave as they are: they are published once, and every reader has them.

import { randomBytes } from "node:crypto";
import { type Account, reads, type Slot } from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { createIndexer, ForkOverlay, SharedOverlay } from "@lamplight/indexer";
import { describePostgres, startPostgres, storePlaces, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectDataOnForks } from "../../../packages/indexer/test/data-on-forks.ts";
import { account, closedAt, key } from "../../../packages/indexer/test/encode-accounts.ts";
import {
  onSharedForks,
  openSharedReader,
  openSharedStore,
  type SharedReader,
  type SharedStore,
} from "../test/shared-store.ts";

const firstSeed = Number(process.env["LAMPLIGHT_DATA_SEED"] ?? 1);
const ROOT = 10;
const MEBIBYTE = 1024 ** 2;
/** A body without data is smaller. */
const BODY_BYTES_MAX = 2000;
const [one, two] = [key(1), key(2)];
const addresses = [one, two];

const first = new Map(addresses.map((address) => [address, randomBytes(MEBIBYTE)]));

const paid = (address: Uint8Array, slot: Slot, data: Uint8Array = first.get(address)!): Account => ({
  ...account(address, key(3), data, slot),
  lamports: BigInt(slot),
});

const paidAll = (slot: Slot): readonly Account[] => addresses.map((address) => paid(address, slot));

const openOverlay = (store: SharedStore, reader: SharedReader): Promise<ForkOverlay> =>
  ForkOverlay.open({ store, viewSource: reader, shared: store });

const slotOf = (slot: Slot, accounts: readonly Account[], parent: Slot = slot - 1) => ({
  slot,
  parent,
  blockhash: null,
  accounts,
  transactions: [],
});

const publishedBytes = async (reader: SharedReader): Promise<readonly number[]> =>
  (await reader.readUnfinalized(new Map())).slots.map(({ body }) => body!.length);

/** Expects that all readers have what was written at the newest slot. */
const expectAll = async (
  { reader, node }: { readonly reader: SharedReader; readonly node: SharedOverlay },
  expected: readonly (Account | null)[],
): Promise<void> => {
  const late = new SharedOverlay({ unfinalized: reader, viewSource: reader });
  for (const each of [node, late]) {
    await each.catchUp();
    expect(each.state).toMatchObject({ unreadSlots: 0 });
    const view = await each.openView("processed");
    for (const [index, address] of addresses.entries()) {
      const found = await view.read(reads.account(address));
      const wanted = expected[index]!;
      expect(found?.lamports).toBe(wanted?.lamports);
      if (wanted !== null) expect(Buffer.compare(found!.data, wanted.data)).toBe(0);
    }
    view.close();
  }
};

describe.each(storePlaces)("over $kind", ({ urlOf }) => {
  describePostgres("large data that slots do not change", () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await server?.stop();
    });

    test.each(Array.from({ length: 4 }, (_, index) => firstSeed + index))(
      "seed %i: every reader has them on random forks (repeat with LAMPLIGHT_DATA_SEED)",
      (seed) =>
        onSharedForks(urlOf(server.url, `data_${seed}`), seed, (options) =>
          expectDataOnForks(options, new Random(seed, 540, 0)),
        ),
    );

    /** A store at `ROOT` whose writer shows its slots, and a process that follows it. */
    const start = async (name: string) => {
      const url = urlOf(server.url, name);
      const store = await openSharedStore(url);
      await store.writeCoverage({ kind: "whole" });
      await createIndexer(store).applyAccounts(paidAll(ROOT), { slot: ROOT, blockhash: null });
      const reader = await openSharedReader(url);
      return { url, store, reader, node: new SharedOverlay({ unfinalized: reader, viewSource: reader }) };
    };

    test("are in no body, whether the store has them or an ancestor, also for the next writer", async () => {
      const opened = await start("same");
      const { url, store, reader } = opened;
      let overlay = await openOverlay(store, reader);
      const changed = randomBytes(MEBIBYTE);
      const paidBoth = (slot: Slot): readonly Account[] => [paid(one, slot, changed), paid(two, slot)];
      await overlay.add(slotOf(11, paidAll(11)));
      await expectAll(opened, paidAll(11));
      for (const slot of [12, 13]) await overlay.add(slotOf(slot, paidBoth(slot)));
      await expectAll(opened, paidBoth(13));
      const [same, larger, again] = await publishedBytes(reader);
      expect(same).toBeLessThan(BODY_BYTES_MAX);
      expect(larger! - MEBIBYTE).toBeLessThan(BODY_BYTES_MAX);
      expect(again).toBeLessThan(BODY_BYTES_MAX);
      // What slot 13 refers to is in the store now, in one of several shards not even in a row.
      await overlay.finalize(12);
      await expectAll(opened, paidBoth(13));
      await store.close();
      const next = await openSharedStore(url);
      overlay = await openOverlay(next, reader);
      expect(overlay.state).toMatchObject({ finalizedSlot: 12, processedSlot: 13 });
      await overlay.add(slotOf(14, paidBoth(14)));
      await expectAll(opened, paidBoth(14));
      for (const bytes of await publishedBytes(reader)) expect(bytes).toBeLessThan(BODY_BYTES_MAX);
      reader.close();
      await next.close();
    });

    test("are published again where the account was closed or another bank changed them", async () => {
      const opened = await start("forks");
      const { store, reader } = opened;
      const overlay = await openOverlay(store, reader);
      await overlay.add(slotOf(11, [closedAt(paid(one, 11), 11)]));
      await expectAll(opened, [null, paid(two, ROOT)]);
      await overlay.add(slotOf(12, [paid(one, 12)]));
      await overlay.add(slotOf(13, [paid(one, 13)]));
      await expectAll(opened, [paid(one, 13), paid(two, ROOT)]);
      expect((await publishedBytes(reader)).map((bytes) => bytes > MEBIBYTE)).toEqual([false, true, false]);
      const other = randomBytes(MEBIBYTE);
      const updates = [
        slotOf(11, [paid(one, 11, other), paid(two, 11)]),
        slotOf(12, [paid(one, 12)]),
        slotOf(13, [paid(one, 13)]),
      ];
      await overlay.replace(updates);
      await expectAll(opened, [paid(one, 13), paid(two, 11)]);
      // A fork that lacks slot 12.
      await overlay.add(slotOf(14, [paid(one, 14, other)], 11));
      await overlay.confirm(14);
      await overlay.finalize(11);
      await expectAll(opened, [paid(one, 14, other), paid(two, 11)]);
      await overlay.drop(14);
      await overlay.finalize(13);
      await expectAll(opened, [paid(one, 13), paid(two, 11)]);
      reader.close();
      await store.close();
    });
  });
});
