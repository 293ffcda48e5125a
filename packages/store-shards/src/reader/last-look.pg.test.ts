import { type Opening, reads } from "@lamplight/core";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test } from "vitest";
import { describeShards } from "../../test/shards-under-test.ts";
import { openShardsStore } from "../writer/open-shards-store.ts";
import { LastLook } from "./last-look.ts";
import { MixedBase } from "./mixed-base.ts";
import { ShardStates } from "./shard-states.ts";
import { openShardsReaderWith, type ShardsReader } from "./open-shards-reader.ts";
import { HeldShardViews, type ShardViews } from "./shard-views.ts";
import { touchedBy } from "./touched.ts";

const wallet = accountOf("wallet");

const openingOf = (): Opening => ({ reads: [reads.account(wallet.address)], stop: null });

describeShards("the last look", (newStore) => {
  /** @param started - the newest delta that has started, by the number of the look */
  const withReader = async (
    started: (look: number) => number,
    body: (reader: ShardsReader, looks: () => number) => Promise<void>,
  ): Promise<void> => {
    const url = newStore();
    const store = await openShardsStore({ url, mode: "write" });
    await store.commit(slotOf(1, [wallet]));
    let looks = 0;
    const look = new LastLook(async () => started((looks += 1)));
    const reader = await openShardsReaderWith({ url }, (parts) => ({ ...parts, look }));
    await body(reader, () => looks);
    reader.close();
    await store.close();
  };

  test("follows every read, and allows it while nothing newer has started", () =>
    withReader(
      () => 1,
      async (reader, looks) => {
        const view = await reader.openView("finalized");
        expect(await view.read(reads.account(wallet.address))).toEqual(wallet);
        expect(looks()).toBe(1);
        expect(await view.terms.listChanges(0, 10)).toEqual([]);
        expect(looks()).toBe(2);
        view.close();
      },
    ));

  test("repeats the first reads of a call at a newer slot", () =>
    withReader(
      (look) => (look < 3 ? 2 : 1),
      async (reader, looks) => {
        const opening = openingOf();
        const view = await reader.openView("finalized", opening);
        expect(looks()).toBe(3);
        expect(await view.read(opening.reads[0]!)).toEqual(wallet);
        expect(looks()).toBe(3);
        view.close();
      },
    ));

  test("refuses a call after three attempts, and a view that cannot start again at once", () =>
    withReader(
      () => 2,
      async (reader, looks) => {
        const refusal = { code: "STORE__BASE_MOVED" };
        await expect(reader.openView("finalized", openingOf())).rejects.toMatchObject(refusal);
        expect(looks()).toBe(3);
        const view = await reader.openView("finalized");
        await expect((async () => view.read(reads.account(wallet.address)))()).rejects.toMatchObject(refusal);
        expect(looks()).toBe(4);
        view.close();
      },
    ));
});

test("rows of a shard cannot be read without it", async () => {
  const noShards: ShardViews = new HeldShardViews([]);
  const base = new MixedBase(
    noShards,
    touchedBy([]),
    { storeId: "", settled: 0, through: 0 },
    new ShardStates([]),
  );
  await expect(base.on(0, async () => 1)).rejects.toThrow("past the last look");
  await expect((async () => base.read(reads.account(wallet.address)))()).rejects.toThrow(
    "past the last look",
  );
});
