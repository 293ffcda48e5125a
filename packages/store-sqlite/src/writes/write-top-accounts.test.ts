import { type Account, nonCirculatingAccounts, reads } from "@lamplight/core";
import * as fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { openSqliteReader } from "../reader/open-sqlite-reader.ts";
import { accountOf, addressOf, slotOf, stakeAccountOf } from "@lamplight/store-conformance/small-chain";
import { temporaryFile } from "../../test/temporary-file.ts";

const clock = { epoch: 0n, unixTimestamp: 0n };
/** Rows that are always kept: twenty and the listed accounts, none of which exist here. */
const needed = 20 + nonCirculatingAccounts.length;

const largestOf = (accounts: Iterable<Account>, limit: number) =>
  [...accounts]
    .filter((one) => one.lamports > 0n)
    .toSorted((a, b) =>
      a.lamports === b.lamports ? Buffer.compare(b.address, a.address) : a.lamports < b.lamports ? 1 : -1,
    )
    .slice(0, limit)
    .map(({ address, lamports }) => ({ address, lamports }));

const headOf = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database
    .prepare("SELECT top_accounts AS rows, length(floor_address) > 0 AS floored FROM head")
    .get() as { rows: number; floored: number };
  database.close();
  return row;
};

/** Commits a list of slots to a store with tiny bounds and holds every answer against the sorted accounts. */
const checkSlots = async (
  slots: readonly (readonly Account[])[],
): Promise<{ raised: boolean; lowered: boolean }> => {
  const { file, remove } = temporaryFile();
  const store = openSqliteStore({ file, mode: "write", topAccounts: { spare: 5, slack: 10 } });
  const reader = openSqliteReader({ file });
  const newest = new Map<string, Account>();
  const seen = { raised: false, lowered: false };
  for (const [index, accounts] of slots.entries()) {
    const before = index === 0 ? { rows: 0, floored: 0 } : headOf(file);
    await store.commit(slotOf(index + 1, accounts));
    for (const account of accounts) newest.set(Buffer.from(account.address).toString("hex"), account);
    const after = headOf(file);
    seen.raised ||= after.floored === 1 && before.floored === 0;
    seen.lowered ||=
      before.floored === 1 && (after.floored === 0 || after.rows > before.rows + accounts.length);
    expect(after.rows).toBeLessThanOrEqual(Math.max(needed + 15 + 60, 0));
    const view = await reader.openView("finalized");
    for (const limit of [20, 400]) {
      expect(await view.read(reads.largest({ filter: "all", limit, clock }))).toEqual(
        largestOf(newest.values(), limit),
      );
    }
    view.close();
    expect(await store.checkIntegrity()).toEqual([]);
  }
  reader.close();
  await store.close();
  remove();
  return seen;
};

describe("the table of the largest accounts", () => {
  test("raises its floor when too many qualify and lowers it when too few do", async () => {
    const rich = Array.from({ length: 400 }, (_, index) =>
      accountOf(index, { lamports: BigInt(1000 + (index % 7)) }),
    );
    const poor = rich.slice(0, 350).map((one) => ({ ...one, lamports: 3n, slot: 2 }));
    const gone = rich.map((one) => ({ ...one, lamports: 0n, slot: 3 }));
    const seen = await checkSlots([rich, poor.slice(0, 170), poor.slice(170), gone.slice(0, 390)]);
    expect(seen).toEqual({ raised: true, lowered: true });
  });

  test("keeps a floor in the middle of a tie", async () => {
    const equal = Array.from({ length: 500 }, (_, index) => accountOf(index, { lamports: 2_039_280n }));
    const fallen = equal.slice(0, 260).map((one) => ({ ...one, lamports: 2_039_279n, slot: 2 }));
    expect((await checkSlots([equal, fallen])).raised).toBe(true);
  });

  test("answers exactly through any balances", async () => {
    const slots = fc.array(
      fc.uniqueArray(fc.record({ which: fc.nat({ max: 450 }), lamports: fc.bigInt({ min: 0n, max: 9n }) }), {
        selector: (one) => one.which,
        minLength: 60,
        maxLength: 300,
        size: "max",
      }),
      { minLength: 2, maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(slots, async (asked) => {
        await checkSlots(
          asked.map((writes, index) =>
            writes.map(({ which, lamports }) => accountOf(which, { lamports, slot: index + 1 })),
          ),
        );
      }),
      { numRuns: 8 },
    );
  });

  test("keeps more rows for stakes that a filter may drop", async () => {
    const { file, remove } = temporaryFile();
    const store = openSqliteStore({ file, mode: "write", topAccounts: { spare: 5, slack: 10 } });
    const stakes = Array.from({ length: 100 }, (_, index) =>
      stakeAccountOf(`stake ${index}`, { lamports: 9n }),
    );
    const wallets = Array.from({ length: 600 }, (_, index) => accountOf(index, { lamports: 1n }));
    await store.commit(slotOf(1, [...stakes, ...wallets]));
    expect(headOf(file).rows).toBe(needed + 100 + 5);
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    const found = await view.read(reads.largest({ filter: "circulating", limit: 20, clock }));
    expect(found).toEqual(largestOf(wallets, 20));
    expect(found.some((one) => Buffer.compare(one.address, addressOf("stake 1")) === 0)).toBe(false);
    view.close();
    reader.close();
    await store.close();
    remove();
  });
});
