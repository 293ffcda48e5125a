import { type IndexStore, reads, type ReadView } from "@lamplight/core";
import { accountOf, assetOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import {
  openPostgresStore,
  parsePostgresUrl,
  PostgresCoordinator,
  readStarted,
  ShardSession,
} from "@lamplight/store-postgres";
import { expect, test, vi } from "vitest";
import { describeShards, withShards } from "../../test/shards-under-test.ts";
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

const run = async (url: string, sql: string): Promise<void> => {
  const session = new ShardSession(parsePostgresUrl(url), { role: "writer" });
  await session.use((one) => one.execute(sql));
  await session.close();
};

describeShards("the writer of several shards", (newStore, server) => {
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
    // The second time, nothing is under way any more that could fail.
    for (let time = 0; time < 2; time += 1)
      await expect(lost.checkIntegrity()).rejects.toMatchObject({ code: "STORE__LOCKED" });
    expect(await next.readAccountStates([addressOf("lost")])).toEqual([null]);
    expect(await next.checkIntegrity()).toEqual([]);
    await lost.close();
    await next.close();
  });

  test("shards in another order, too few, or of another store, are refused by writers and readers", async () => {
    const url = newStore();
    await (await openShardsStore({ url, mode: "write" })).close();
    const { shards } = parseShardsUrl(url);
    for (const others of [shards.toReversed(), shards.slice(0, 2)]) {
      const other = withShards(url, others);
      await expect(openShardsReader({ url: other })).rejects.toMatchObject({ code: "STORE__OTHER_SHARD" });
      await expect(openShardsStore({ url: other, mode: "write" })).rejects.toMatchObject({
        code: "STORE__OTHER_SHARD",
      });
    }
    const foreign = new URL(newStore());
    foreign.searchParams.set("shard", new URL(url).searchParams.get("shard")!);
    await expect(openShardsStore({ url: foreign.href, mode: "write" })).rejects.toMatchObject({
      code: "STORE__OTHER_SHARD",
    });
  });

  test("a view refuses a shard that was restored to an earlier time by itself", async () => {
    const url = newStore();
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    await store.commit(first);
    await settled(url, 1);
    for (const shard of parseShardsUrl(url).shards) await run(shard, "UPDATE node_slot SET number = 0");
    await expect(withReader(url, stateOf)).rejects.toMatchObject({ code: "STORE__CORRUPT" });
    await store.close();
  });

  test("a view refuses a shard that was restored to a later time than the coordinator", async () => {
    const url = newStore();
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    await store.commit(first);
    await settled(url, 1);
    for (const shard of parseShardsUrl(url).shards) await run(shard, "UPDATE node_slot SET number = 2");
    await expect(withReader(url, stateOf)).rejects.toMatchObject({ code: "STORE__CORRUPT" });
    await store.close();
  });

  test("a reader notices that the coordinator was restored, and its numbers given to other changes", async () => {
    const url = newStore();
    const { coordinator } = parseShardsUrl(url);
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
    await store.commit(first);
    await run(coordinator, "CREATE TABLE saved AS SELECT * FROM head");
    await store.commit(second);
    await store.close();
    const reader = await openShardsReader({ url });
    const lamports = async (): Promise<unknown> => {
      const view = await reader.openView("finalized");
      const account = await view.read(reads.account(accounts[0]!.address));
      view.close();
      return account?.lamports;
    };
    expect(await lamports()).toBe(1001n);
    await run(
      coordinator,
      `DELETE FROM head; INSERT INTO head SELECT * FROM saved; DROP TABLE saved;
DELETE FROM numbered_delta WHERE number = 2; UPDATE delta_head SET published = 1`,
    );
    const next = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
    await next.commit(slotOf(2, [{ ...accounts[0]!, slot: 2, lamports: 7n }]));
    expect(await lamports()).toBe(7n);
    reader.close();
    await next.close();
  });

  test("a filled store of one database is no coordinator, and no shard", async () => {
    const url = newStore();
    const { coordinator, shards } = parseShardsUrl(url);
    const plain = await openPostgresStore({ url: coordinator, mode: "write" });
    await plain.commit(first);
    await plain.close();
    const refusal = { code: "STORE__NOT_EMPTY" };
    await expect(openShardsStore({ url, mode: "write" })).rejects.toMatchObject(refusal);
    const other = newStore();
    await (await openShardsStore({ url: other, mode: "write" })).close();
    await expect(
      openShardsReader({ url: withShards(url, parseShardsUrl(other).shards) }),
    ).rejects.toMatchObject({ code: "STORE__NOT_A_STORE" });
    const asShard = withShards(newStore(), [coordinator, ...shards.slice(1)]);
    await expect(openShardsStore({ url: asShard, mode: "write" })).rejects.toMatchObject(refusal);
  });

  test("a shard whose creation was cut off is created", async () => {
    const url = newStore();
    await (await openShardsStore({ url, mode: "write" })).close();
    const [shard] = parseShardsUrl(url).shards;
    await run(shard!, "DROP TABLE node_slot; UPDATE head SET slot = NULL");
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    await store.commit(first);
    await settled(url, 1);
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
  });

  test("a standby is read neither as a shard nor for the last look", async () => {
    const url = newStore();
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
    await store.commit(first);
    const standby = await server().startReplica();
    const { coordinator, shards } = parseShardsUrl(url);
    const atStandby = (one: string): string => {
      const moved = new URL(one);
      moved.port = `${standby.port}`;
      return moved.href;
    };
    const ofStandby = {
      code: "STORE__UNREACHABLE",
      message: expect.stringContaining("is a standby") as string,
    };
    const session = ShardSession.forReading(atStandby(coordinator));
    await expect(openShardsReader({ url: atStandby(url) })).rejects.toMatchObject(ofStandby);
    await expect(session.use(readStarted)).rejects.toMatchObject(ofStandby);
    const mixed = withShards(url, [shards[0]!, atStandby(shards[1]!), shards[2]!]);
    await expect(openShardsReader({ url: mixed })).rejects.toMatchObject(ofStandby);
    await session.close();
    await store.close();
    await expect(openShardsStore({ url: mixed, mode: "write" })).rejects.toMatchObject({
      code: "STORE__READ_ONLY",
    });
    await standby.stop();
  });

  test("what has started never goes back", async () => {
    const url = newStore();
    const coordinator = await PostgresCoordinator.open(parseShardsUrl(url).coordinator, true);
    await coordinator.begin(5);
    await coordinator.begin(3);
    expect(await coordinator.readHead()).toMatchObject({ started: 5 });
    await coordinator.close();
  });

  test("a session that was closed is not opened again, and open views finish", async () => {
    const url = newStore();
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 600_000 });
    await store.commit(first);
    const session = ShardSession.forReading(parseShardsUrl(url).coordinator);
    await session.close();
    await expect(session.use((one) => one.execute("SELECT 1"))).rejects.toMatchObject({
      code: "STORE__UNREACHABLE",
    });
    const reader = await openShardsReader({ url });
    const view = await reader.openView("finalized");
    reader.close();
    expect(await view.read(reads.account(accounts[0]!.address))).toEqual(accounts[0]);
    view.close();
    await store.close();
  });
});
