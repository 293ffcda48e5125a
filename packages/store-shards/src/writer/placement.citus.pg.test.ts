// Shards whose schemas a real Citus places on its nodes, and moves while they are written and read.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ReadView, reads, type StoreHead } from "@lamplight/core";
import { describeCitus, moveShard } from "@lamplight/postgres-test";
import { accountOf, addressOf, slotOf } from "@lamplight/store-conformance/small-chain";
import {
  openPostgresReader,
  openPostgresStore,
  parsePostgresUrl,
  ShardSession,
} from "@lamplight/store-postgres";
import { expect, test, vi } from "vitest";
import { parseShardsUrl } from "../location.ts";
import { openShardsImport } from "../copy/open-shards-import.ts";
import { openShardsReader } from "../reader/open-shards-reader.ts";
import { openShardsStore } from "./open-shards-store.ts";

const ACCOUNTS = 60;
const MOVED_SLOTS = 12;
const SLOT_MS = 200;

const slotWith = (slot: number) =>
  slotOf(
    slot,
    Array.from({ length: ACCOUNTS }, (_, index) =>
      accountOf(index, { slot, lamports: BigInt(1000 * slot + index) }),
    ),
  );

const asked = async (url: string, sql: string): Promise<readonly (readonly unknown[])[]> => {
  const session = new ShardSession(parsePostgresUrl(url), { role: "writer" });
  try {
    return await session.use((one) => one.execute(sql));
  } finally {
    await session.close();
  }
};

const schemaOf = (url: string): string => parsePostgresUrl(url).schema;

const settled = (coordinator: string, number: number): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await asked(coordinator, "SELECT settled::integer FROM delta_head")).toEqual([[number]]),
    { timeout: 60_000 },
  );

/** Slots of the accounts that a view answers, and whether each has the balance of that slot. */
const slotsIn = async (view: ReadView): Promise<ReadonlySet<number>> => {
  const addresses = Array.from({ length: ACCOUNTS }, (_, index) => addressOf(index));
  const found = await view.read(reads.accounts(addresses));
  for (const [index, account] of found.entries())
    expect(account!.lamports).toBe(BigInt(1000 * account!.slot + index));
  return new Set(found.map((account) => account!.slot));
};

const importedHead: StoreHead = {
  watermark: { slot: 1, blockhash: "b" },
  changeSeq: 0,
  nextOrdinal: 0,
  coverage: { kind: "whole" },
  holdings: true,
  holders: false,
  notes: {},
};

const expectOnWorkers = async (url: string): Promise<void> => {
  const { coordinator, shards } = parseShardsUrl(url);
  const schemas = await asked(coordinator, "SELECT schemaid::regnamespace::text FROM pg_dist_schema");
  const names = new Set(schemas.map(([name]) => name));
  expect(shards.map((shard) => names.has(schemaOf(shard)))).toEqual(shards.map(() => true));
  expect(names.has(schemaOf(coordinator))).toBe(false);
  // The coordinator of Citus has none of the rows itself.
  for (const shard of shards) {
    const size = await asked(shard, `SELECT pg_relation_size('${schemaOf(shard)}.account')::integer`);
    expect(size).toEqual([[0]]);
  }
};

/** Names the sessions of a store on its shards. */
const withSessionsNamed = (url: string, name: string): string => {
  const named = new URL(url);
  named.searchParams.delete("shard");
  for (const shard of parseShardsUrl(url).shards)
    named.searchParams.append("shard", `${shard}&application_name=${name}`);
  return named.href;
};

/** Sessions of that name on the workers, each as its port and its process. */
const sessionsOnWorkers = async (url: string, name: string): Promise<readonly string[]> => {
  const sql = `SELECT nodeport || ':' || unnest(string_to_array(result, ',')) FROM run_command_on_workers(
$$SELECT string_agg(pid::text, ',') FROM pg_stat_activity WHERE application_name = '${name}'$$)`;
  return (await asked(parseShardsUrl(url).coordinator, sql)).map(([session]) => session as string);
};

/** Ends these sessions, as a network would. */
const endOnWorkers = async (url: string, sessions: readonly string[]): Promise<void> => {
  for (const session of sessions) {
    const [port, pid] = session.split(":");
    const ending = `SELECT success FROM pg_dist_node, master_run_on_worker(ARRAY[nodename], ARRAY[nodeport],
ARRAY['SELECT pg_terminate_backend(${pid})'], false) WHERE nodeport = ${port}`;
    expect(await asked(parseShardsUrl(url).coordinator, ending)).toEqual([[true]]);
  }
};

describeCitus("shards that Citus places", (newStore) => {
  test("are distributed schemas, and their coordinator is not", async () => {
    const url = newStore();
    const { coordinator } = parseShardsUrl(url);
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    await store.commit(slotWith(1));
    await settled(coordinator, 1);
    await store.close();
    await expectOnWorkers(url);
  });

  test("are so too where they are filled by an import, and their rows lie on workers", async () => {
    const url = newStore();
    const filling = await openShardsImport({ url, holdings: true });
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => ({
      current: accountOf(index, { slot: 1, lamports: BigInt(1000 + index) }),
      lastLife: null,
    }));
    await filling.write("accounts", accounts);
    await filling.finish(importedHead, () => undefined);
    await filling.close();
    await expectOnWorkers(url);
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    expect(await store.readAccountPage(null, 2 * ACCOUNTS)).toHaveLength(ACCOUNTS);
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
  });

  test("move while they are written and read, and each answer is of one slot", async () => {
    const url = newStore();
    const { coordinator, shards } = parseShardsUrl(url);
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 200 });
    await store.commit(slotWith(1));
    const reader = await openShardsReader({ url });
    const moving = { isDone: false };
    const write = async (): Promise<number> => {
      for (let slot = 2; ; slot += 1) {
        await store.commit(slotWith(slot));
        await sleep(SLOT_MS);
        if (moving.isDone && slot >= MOVED_SLOTS) return slot;
      }
    };
    const read = async (): Promise<number> => {
      let answers = 0;
      while (!moving.isDone) {
        const view = await reader.openView("finalized");
        try {
          const slots = await slotsIn(view);
          expect([...slots]).toEqual([view.slot]);
          answers += 1;
        } catch (error) {
          // Newer rows may have started.
          expect(error).toMatchObject({ code: "STORE__BASE_MOVED" });
        } finally {
          view.close();
        }
      }
      return answers;
    };
    const move = async (): Promise<void> => {
      for (const shard of shards) await moveShard(shard);
      moving.isDone = true;
    };
    const [last, answers] = await Promise.all([write(), read(), move()]);
    expect(answers).toBeGreaterThan(0);
    expect(await store.checkIntegrity()).toEqual([]);
    await settled(coordinator, last);
    const view = await reader.openView("finalized");
    expect([view.slot, ...(await slotsIn(view))]).toEqual([last, last]);
    view.close();
    reader.close();
    await store.close();
  });

  test("are written on the node that has them, also after its sessions ended", async () => {
    const name = `writer_${randomBytes(4).toString("hex")}`;
    const url = withSessionsNamed(newStore(), name);
    const { coordinator, shards } = parseShardsUrl(url);
    const problems: string[] = [];
    const onProblem = (line: string): void => void problems.push(line);
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0, onProblem });
    await store.commit(slotWith(1));
    await settled(coordinator, 1);
    const own = await sessionsOnWorkers(url, name);
    // One writes, and one reads; a third polls them from time to time.
    expect(own.length).toBeGreaterThanOrEqual(2 * shards.length);
    expect(problems).toEqual([]);
    await endOnWorkers(url, own);
    await store.commit(slotWith(2));
    await settled(coordinator, 2);
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
  });

  test("are refused where their rows lie on several nodes", async () => {
    const url = newStore();
    const [shard] = parseShardsUrl(url).shards as [string];
    await (await openPostgresStore({ url: shard, mode: "write" })).close();
    await asked(shard, `SELECT create_distributed_table('account', 'address')`);
    await expect(openPostgresReader({ url: shard, isShard: true })).rejects.toMatchObject({
      code: "STORE__MIXES_SLOTS",
    });
  });
});
