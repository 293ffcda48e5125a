// The table of the largest accounts while rich ones fall: its floor is lowered a page at a time, and every answer on the
// way is exact.

import { type Account, nonCirculatingAccounts, reads } from "@lamplight/core";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import * as fc from "fast-check";
import type { Client } from "pg";
import { expect, test } from "vitest";
import { openPostgresStore, type PostgresIndexStore } from "../open-postgres-store.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import type { PostgresReader } from "../reader/postgres-reader.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import type { TopAccountsBounds } from "./write-top-accounts.ts";

const runs = Number(process.env["LAMPLIGHT_SEEDS"] ?? 3);
const clock = { epoch: 0n, unixTimestamp: 0n };
/** Rows that are always kept: twenty and the listed accounts, none of which exist here. */
const needed = 20 + nonCirculatingAccounts.length;
/** One page with each commit. */
const bounds: TopAccountsBounds = { spare: 40, slack: 20, pageRows: 50, refillMs: 0 };
const ACCOUNTS = 1500;

interface Floor {
  readonly rows: number;
  /** Lamports in the column's form. */
  readonly lamports: string;
}

/** Every account is among the rows. */
const noFloor = String(-(2n ** 63n));

describeWithPostgres("the table of the largest accounts", (under) => {
  let store: PostgresIndexStore;
  let reader: PostgresReader;
  let client: Client;
  let schema: string;
  let newest: Map<string, Account>;
  let slot: number;
  const start = async (topAccounts = bounds): Promise<void> => {
    const url = under().newStore();
    schema = new URL(url).searchParams.get("schema")!;
    store = await openPostgresStore({ url, mode: "write", topAccounts });
    reader = await openPostgresReader({ url });
    client = await under().server.connect();
    newest = new Map();
    slot = 0;
  };
  const stop = async (): Promise<void> => {
    await client.end();
    reader.close();
    await store.close();
  };

  const anotherWriter = async (): Promise<void> => {
    await store.close();
    const url = `${under().server.url}?schema=${schema}`;
    store = await openPostgresStore({ url, mode: "write", topAccounts: bounds });
  };

  const floorOf = async (): Promise<Floor> => {
    const { rows } = await client.query<{ rows: string; lamports: string }>(
      `SELECT top_accounts AS rows, floor_lamports AS lamports FROM ${schema}.head`,
    );
    return { rows: Number(rows[0]!.rows), lamports: rows[0]!.lamports };
  };

  const accountsOf = (balances: ReadonlyMap<number, bigint>): readonly Account[] =>
    [...balances].map(([which, lamports]) => accountOf(which, { lamports, slot }));

  /** The transaction ends after the accounts were written, and nothing of it is kept. */
  const failToWrite = async (balances: ReadonlyMap<number, bigint>): Promise<void> => {
    await client.query(`UPDATE ${schema}.head SET writer_epoch = -writer_epoch`);
    slot += 1;
    await expect(store.commit(slotOf(slot, accountsOf(balances)))).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    slot -= 1;
    await client.query(`UPDATE ${schema}.head SET writer_epoch = -writer_epoch`);
  };

  /** Writes balances as one slot. */
  const write = async (balances: ReadonlyMap<number, bigint>): Promise<void> => {
    slot += 1;
    const accounts = accountsOf(balances);
    await store.commit(slotOf(slot, accounts));
    for (const account of accounts) newest.set(Buffer.from(account.address).toString("hex"), account);
  };

  const expectExact = async (): Promise<void> => {
    const view = await reader.openView("finalized");
    try {
      for (const limit of [20, 600]) {
        const wanted = [...newest.values()]
          .filter(({ lamports }) => lamports > 0n)
          .toSorted((a, b) =>
            a.lamports === b.lamports
              ? Buffer.compare(b.address, a.address)
              : a.lamports < b.lamports
                ? 1
                : -1,
          )
          .slice(0, limit)
          .map(({ address, lamports }) => ({ address, lamports }));
        expect(await view.read(reads.largest({ filter: "all", limit, clock }))).toEqual(wanted);
      }
    } finally {
      view.close();
    }
    expect(await store.checkIntegrity()).toEqual([]);
  };

  /** The floor, which leaves as many rows as an answer may need. */
  const expectEnough = async (): Promise<Floor> => {
    const floor = await floorOf();
    if (floor.lamports !== noFloor) expect(floor.rows).toBeGreaterThanOrEqual(needed);
    return floor;
  };

  const fill = (): Promise<void> =>
    write(new Map(Array.from({ length: ACCOUNTS }, (_, which) => [which, BigInt(1000 + which)])));

  test("is filled again by commits that look at a page of accounts each, before too few rows are left", async () => {
    await start();
    await fill();
    const before = await floorOf();
    expect(before.rows).toBe(needed + bounds.spare);
    // Enough fall that the search begins, and some are left above what is needed.
    const fallen = Array.from({ length: 30 }, (_, index) => [ACCOUNTS - 1 - index, 1n] as const);
    await write(new Map(fallen));
    await expectExact();
    let commits = 1;
    for (; (await floorOf()).lamports === before.lamports; commits += 1) {
      await write(new Map([[commits, BigInt(900 - commits)]]));
      await expectExact();
    }
    // Each of them read one page.
    expect(commits).toBeGreaterThanOrEqual(ACCOUNTS / bounds.pageRows);
    expect((await floorOf()).rows).toBeGreaterThanOrEqual(needed + bounds.spare);
    await stop();
  });

  test("looks at pages with one commit until its time is spent", async () => {
    let readings = 0;
    // A page takes ten by this clock: 0 when a commit begins, 10, 20 and 30 after its pages.
    const nowMs = (): number => 10 * readings++;
    await start({ ...bounds, refillMs: 30, nowMs });
    await fill();
    const before = await floorOf();
    await write(new Map(Array.from({ length: 30 }, (_, index) => [ACCOUNTS - 1 - index, 1n])));
    let commits = 1;
    for (; (await floorOf()).lamports === before.lamports; commits += 1)
      await write(new Map([[commits, BigInt(900 - commits)]]));
    await expectExact();
    // The last page is empty.
    expect(commits).toBe(Math.ceil((ACCOUNTS / bounds.pageRows + 1) / 3));
    await stop();
  });

  test("is filled again at once where what was found falls before the search has ended", async () => {
    await start();
    await fill();
    const before = await floorOf();
    const lowestKept = ACCOUNTS - needed - bounds.spare;
    await write(new Map(Array.from({ length: 30 }, (_, index) => [ACCOUNTS - 1 - index, 1n])));
    for (let which = 0; which < 24; which += 1) await write(new Map([[which, 900n]]));
    expect((await floorOf()).lamports).toBe(before.lamports);
    // All that can have been found, and so many of the rows that some are needed.
    const found = Array.from({ length: 600 }, (_, index) => [lowestKept - 1 - index, 1n] as const);
    const kept = Array.from({ length: 15 }, (_, index) => [lowestKept + index, 1n] as const);
    await write(new Map([...found, ...kept]));
    expect((await expectEnough()).rows).toBeGreaterThanOrEqual(needed + bounds.spare);
    await expectExact();
    await stop();
  });

  test("is filled with what was kept: a commit that failed while the search went on reported it other things", async () => {
    await start();
    await fill();
    const before = await floorOf();
    await write(new Map(Array.from({ length: 30 }, (_, index) => [ACCOUNTS - 1 - index, 1n])));
    expect((await floorOf()).lamports).toBe(before.lamports);
    await failToWrite(new Map(Array.from({ length: 1000 }, (_, which) => [which, 2200n])));
    for (let which = 0; (await floorOf()).lamports === before.lamports; which += 1)
      await write(new Map([[which, 900n]]));
    await expectExact();
    await stop();
  });

  test("is filled at once where more fall than it keeps to spare", async () => {
    await start();
    await fill();
    const before = await floorOf();
    await write(new Map(Array.from({ length: 200 }, (_, index) => [ACCOUNTS - 1 - index, 1n])));
    const after = await floorOf();
    expect(after.rows).toBeGreaterThanOrEqual(needed);
    expect(BigInt(after.lamports)).toBeLessThan(BigInt(before.lamports));
    await expectExact();
    await stop();
  });

  test("answers exactly through any balances, failed commits and other writers", async () => {
    const rich = fc.integer({ min: ACCOUNTS - 600, max: ACCOUNTS - 1 });
    const poor = fc.bigInt({ min: 0n, max: 1000n });
    const writes = fc.array(
      fc.tuple(
        fc.oneof({ weight: 3, arbitrary: rich }, fc.nat({ max: ACCOUNTS - 1 })),
        fc.oneof({ weight: 9, arbitrary: poor }, fc.bigInt({ min: 0n, max: 3000n })),
      ),
      { minLength: 1, maxLength: 40, size: "max" },
    );
    const happens = fc.oneof(
      { weight: 9, arbitrary: fc.constant("nothing") },
      fc.constantFrom("another writer", "a failed commit"),
    );
    const steps = fc.array(fc.record({ happens, writes }), { minLength: 50, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(steps, async (asked) => {
        await start();
        await fill();
        let moves = 0;
        for (const step of asked) {
          const before = await floorOf();
          if (step.happens === "another writer") await anotherWriter();
          if (step.happens === "a failed commit")
            await failToWrite(
              new Map(
                step.writes.map(([which]) => [
                  (which * 7 + 3) % ACCOUNTS,
                  BigInt(1000 + ((which * 13) % 1200)),
                ]),
              ),
            );
          await write(new Map(step.writes));
          await expectExact();
          moves += Number((await expectEnough()).lamports !== before.lamports);
        }
        await stop();
        expect(moves).toBeGreaterThan(0);
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
