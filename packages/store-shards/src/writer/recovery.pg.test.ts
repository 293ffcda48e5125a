import { type IndexStore, reads, type ReadView } from "@lamplight/core";
import { accountOf, assetOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { ShardSession } from "@lamplight/store-postgres";
import { expect, test, vi } from "vitest";
import { describeShards } from "../../test/shards-under-test.ts";
import { parseShardsUrl } from "../location.ts";
import { openShardsReader } from "../reader/open-shards-reader.ts";
import { openShardsStore, openShardsStoreWith } from "./open-shards-store.ts";
import type { SettlerOptions } from "./settler.ts";

const accounts = Array.from({ length: 60 }, (_, index) => accountOf(index, { lamports: BigInt(index + 1) }));
const assets = Array.from({ length: 60 }, (_, index) => assetOf(index));
const first = slotOf(1, accounts, { assets });
const second = slotOf(
  2,
  accounts.map((account) => ({ ...account, slot: 2, lamports: account.lamports + 1000n })),
  { assets: assets.map((asset) => ({ ...asset, document: '{"slot":2}' })) },
);

type Head = readonly [published: number, started: number, settled: number];

const headOf = async (url: string): Promise<Head> => {
  const session = ShardSession.forReading(parseShardsUrl(url).coordinator);
  const [row] = await session.use((one) =>
    one.execute("SELECT published::integer, started::integer, settled::integer FROM delta_head"),
  );
  await session.close();
  return row as unknown as Head;
};

/** Rows of accounts with the balance of slot 2, by shard. */
const rowsOfSecond = (url: string): Promise<readonly number[]> =>
  Promise.all(
    parseShardsUrl(url).shards.map(async (shard) => {
      const session = ShardSession.forReading(shard);
      const [row] = await session.use((one) =>
        one.execute("SELECT count(*)::integer FROM account WHERE slot = 2"),
      );
      await session.close();
      return row?.[0] as number;
    }),
  );

const sumOf = (rows: readonly number[]): number => rows.reduce((sum, count) => sum + count, 0);

const settled = (url: string, number: number): Promise<void> =>
  vi.waitFor(async () => expect(await headOf(url)).toEqual([number, number, number]), { timeout: 60_000 });

const withReader = async <Result>(
  url: string,
  body: (view: ReadView) => Promise<Result>,
): Promise<Result> => {
  const reader = await openShardsReader({ url });
  try {
    const view = await reader.openView("finalized");
    try {
      return await body(view);
    } finally {
      view.close();
    }
  } finally {
    reader.close();
  }
};

/** Ends the session that has the writer's lock, as a network would. */
const endLocks = async (url: string): Promise<void> => {
  const coordinator = ShardSession.forReading(parseShardsUrl(url).coordinator);
  await coordinator.use((session) =>
    session.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
    ),
  );
  await coordinator.close();
};

/** Every account and asset as a view reads them. */
const stateOf = (view: ReadView): Promise<unknown> =>
  Promise.all([
    view.slot,
    view.read(reads.accounts(accounts.map(({ address }) => address))),
    ...assets.map(({ id }) => view.read(reads.ownAsset(id))),
    view.terms.listChanges(0, 1000),
  ]);

/** A writer whose rows reach only the first of the shards. */
const cutOff = (settling: SettlerOptions): SettlerOptions => ({
  ...settling,
  shards: settling.shards.map((shard, place) => ({
    write: async (epoch, rows) => {
      if (place > 0 && rows.number > 1) throw new Error("cut off");
      await shard.write(epoch, rows);
    },
  })),
});

/** Slot 1 is settled, and slot 2 is started and cut off. */
const openSecond = async (url: string): Promise<IndexStore> => {
  const store = await openShardsStoreWith({ url, mode: "write", holdBackMs: 0 }, cutOff);
  await store.commit(first);
  await settled(url, 1);
  await store.commit(second);
  return store;
};

describeShards("the writer of several shards", (newStore) => {
  test("a slot is readable as soon as it is committed, and its rows follow", async () => {
    const url = newStore();
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
    await store.commit(first);
    await store.commit(second);
    expect(await headOf(url)).toEqual([2, 0, 0]);
    expect(await rowsOfSecond(url)).toEqual([0, 0, 0]);
    const before = await withReader(url, stateOf);
    expect(await store.checkIntegrity()).toEqual([]);
    expect(await headOf(url)).toEqual([2, 2, 2]);
    expect(sumOf(await rowsOfSecond(url))).toBe(accounts.length);
    for (const rows of await rowsOfSecond(url)) expect(rows).toBeGreaterThan(0);
    expect(await withReader(url, stateOf)).toEqual(before);
    await store.close();
  });

  test("the next writer repeats what was started and is not in every shard", async () => {
    const url = newStore();
    const store = await openSecond(url);
    await vi.waitFor(async () => expect(sumOf(await rowsOfSecond(url))).toBeGreaterThan(0), {
      timeout: 60_000,
    });
    await store.close();
    expect(await headOf(url)).toEqual([2, 2, 1]);
    expect((await rowsOfSecond(url)).slice(1)).toEqual([0, 0]);
    const before = await withReader(url, stateOf);
    const next = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
    await settled(url, 2);
    expect(sumOf(await rowsOfSecond(url))).toBe(accounts.length);
    expect(await withReader(url, stateOf)).toEqual(before);
    expect(await next.checkIntegrity()).toEqual([]);
    await next.close();
  });

  test("a repeated commit gives the same ordinals, and another asset the next one", async () => {
    const url = newStore();
    const store = await openSecond(url);
    const { ordinals } = await store.commit(second);
    expect(ordinals).toEqual(assets.map((_, index) => index));
    expect((await store.commit(slotOf(3, [], { assets: [assetOf("new")] }))).ordinals).toEqual([60]);
    await store.close();
  });

  test("a writer that lost its lock writes no row and moves no mark", async () => {
    const url = newStore();
    const lost = await openSecond(url);
    const next = await vi.waitFor(
      async () => {
        await endLocks(url);
        return openShardsStore({ url, mode: "write", holdBackMs: 0 });
      },
      { timeout: 120_000 },
    );
    await settled(url, 2);
    await expect(lost.commit(slotOf(9, [accountOf("lost")]))).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    expect(await next.readAccountStates([addressOf("lost")])).toEqual([null]);
    expect(await next.checkIntegrity()).toEqual([]);
    await lost.close();
    await next.close();
  });

  test("shards in another order, or of another store, are refused", async () => {
    const url = newStore();
    await (await openShardsStore({ url, mode: "write" })).close();
    const other = new URL(url);
    const shards = other.searchParams.getAll("shard").toReversed();
    other.searchParams.delete("shard");
    for (const shard of shards) other.searchParams.append("shard", shard);
    await expect(openShardsStore({ url: other.href, mode: "write" })).rejects.toMatchObject({
      code: "STORE__OTHER_SHARD",
    });
    const foreign = new URL(newStore());
    foreign.searchParams.set("shard", new URL(url).searchParams.get("shard")!);
    await expect(openShardsStore({ url: foreign.href, mode: "write" })).rejects.toMatchObject({
      code: "STORE__OTHER_SHARD",
    });
  });
});
