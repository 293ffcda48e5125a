import { programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import * as fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { accountKeyOf } from "../columns/account-key.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import {
  accountOf,
  addressOf,
  slotOf,
  stakeAccountOf,
  tokenAccountOf,
} from "@lamplight/store-conformance/small-chain";
import { temporaryFile } from "../../test/temporary-file.ts";
import { openBulkLoad } from "./bulk-load.ts";
import { encodeRows } from "./encode-rows.ts";

const u64 = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
/** Numbers of every length. */
const number = fc
  .tuple(fc.maxSafeNat(), fc.nat({ max: 52 }))
  .map(([value, shift]) => Math.floor(value / 2 ** shift));

/** Addresses that often begin alike, so that their keys collide. */
const address = fc
  .tuple(fc.nat({ max: 30 }), fc.nat({ max: 1000 }), fc.boolean())
  .map(([name, tail, isAlike]) => {
    const bytes = addressOf(isAlike ? name : `${name} ${tail}`);
    return isAlike ? Uint8Array.from([...bytes.subarray(0, 8), ...addressOf(tail).subarray(8)]) : bytes;
  });

const delegated = (delegate: number, parts: Partial<Account>): Account => {
  const account = tokenAccountOf("any", parts);
  account.data.set(addressOf(`delegate ${delegate}`), 76);
  account.data.set(addressOf(`mint ${delegate >> 2}`), 0);
  return account;
};

/** Some runs of zeros, the rest not. */
const dataOf = (size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => ((index >> 6) % 3 === 0 ? 0 : (index * 167) & 0xff));

const account: fc.Arbitrary<Account> = fc
  .record({
    address,
    lamports: u64,
    executable: fc.boolean(),
    rentEpoch: fc.oneof(fc.constant(2n ** 64n - 1n), u64),
    slot: number,
    writeVersion: number,
    size: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 20_000 })),
    kind: fc.nat({ max: 3 }),
    other: fc.nat({ max: 300 }),
  })
  .map(({ size, kind, other, ...parts }) => {
    if (kind === 0) return delegated(other & 7, parts);
    if (kind === 1) return stakeAccountOf("any", parts);
    const programOwner = kind === 2 ? programAddresses.system : addressOf(`program ${other}`);
    return accountOf("any", { ...parts, programOwner, data: dataOf(size) });
  });

const inKeyOrder = (accounts: readonly Account[]): Account[] =>
  accounts
    .map((one) => ({ one, key: accountKeyOf(one.address) }))
    .toSorted((a, b) =>
      a.key.id === b.key.id ? Buffer.compare(a.key.tail, b.key.tail) : a.key.id < b.key.id ? -1 : 1,
    )
    .map(({ one }) => one);

const tables = ["account", "account_collision", "stake_hold", "holding", "top_account"];

/** Blobs as text: two of these are compared at once. */
const viewSource = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => [
  name,
  value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
];

/** Accounts of a store, with programs by their addresses; by each of the two indexes too. */
const contentOf = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true });
  const all = (sql: string): unknown[] => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all().map((row) => Object.fromEntries(Object.entries(row).map(viewSource)));
  };
  const programs = new Map(
    all("SELECT id, address FROM program").map((row) => {
      const { id, address: found } = row as { id: bigint; address: string };
      return [id, found] as const;
    }),
  );
  const named = (rows: unknown[]) =>
    rows.map((row) => {
      const { program, ...rest } = row as { program?: bigint };
      return program === undefined ? rest : { ...rest, programOwner: programs.get(program) };
    });
  const listed = "WHERE delegate IS NOT NULL";
  const content = {
    ...Object.fromEntries(tables.map((table) => [table, named(all(`SELECT * FROM ${table} ORDER BY 1, 2`))])),
    byDelegate: all(
      `SELECT id, delegate FROM account INDEXED BY account_delegate ${listed} ORDER BY delegate, id`,
    ),
    byMint: all(
      `SELECT id, delegate_mint FROM account INDEXED BY account_delegate_mint ${listed} ORDER BY delegate, delegate_mint, id`,
    ),
    problems: all("PRAGMA integrity_check"),
  };
  database.close();
  return content;
};

const lastSlot = (accounts: readonly Account[]): number => Math.max(1, ...accounts.map(({ slot }) => slot));

const loaded = async (file: string, accounts: readonly Account[], batch: number): Promise<void> => {
  const load = openBulkLoad({ file });
  try {
    for (let from = 0; from < accounts.length; from += batch)
      await load.insertRows(encodeRows(accounts.slice(from, from + batch)));
    expect(await load.finishAccounts({ slot: lastSlot(accounts), blockhash: null })).toBe(accounts.length);
    await (await load.openDerived()).close();
    await load.publish({ kind: "whole" }, {}, () => {});
  } finally {
    await load.close();
  }
};

const committed = async (file: string, accounts: readonly Account[]): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  await store.commit(slotOf(lastSlot(accounts), accounts));
  expect(await store.checkIntegrity()).toEqual([]);
  await store.close();
};

describe("a bulk load", () => {
  test("leaves the rows that a commit of the same accounts leaves", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(account, {
          maxLength: 120,
          selector: (one) => Buffer.from(one.address).toString("hex"),
        }),
        fc.integer({ min: 1, max: 50 }),
        async (accounts, batch) => {
          const [one, other] = [temporaryFile(), temporaryFile()];
          try {
            const sorted = inKeyOrder(accounts);
            await loaded(one.file, sorted, batch);
            await committed(other.file, sorted);
            const content = contentOf(one.file);
            expect(content.problems).toEqual([{ integrity_check: "ok" }]);
            expect(content).toEqual(contentOf(other.file));
            const store = openSqliteStore({ file: one.file, mode: "write" });
            expect(await store.checkIntegrity()).toEqual([]);
            await store.close();
          } finally {
            one.remove();
            other.remove();
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
