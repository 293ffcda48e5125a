import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { accountsToEmit } from "./gap-accounts.ts";

const { token, system } = programAddresses;
const foreign = new Uint8Array(32).fill(200);

const account = (number: number, programOwner: Uint8Array, slot: number, lamports = 1n): Account => ({
  address: new Uint8Array(32).fill(number),
  programOwner,
  lamports,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot,
  writeVersion: 0,
});

const openStore = async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-hole-"));
  const store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const known = [1, 2, 3].map((number) => account(number, token, 10));
  await createIndexer(store).applyAccounts(known, { slot: 10, blockhash: "ten" });
  return store;
};

const read = [
  account(1, token, 20, 5n),
  account(2, foreign, 20),
  account(3, system, 20, 0n),
  account(4, token, 20),
  account(5, foreign, 20),
  account(6, system, 20, 0n),
];
const summaries = (accounts: readonly Account[]): readonly (readonly [number, string, bigint])[] =>
  accounts
    .map(
      ({ address, programOwner, lamports }) => [address[0]!, encodeAddress(programOwner), lamports] as const,
    )
    .toSorted(([a], [b]) => a - b);

test("a store of one program receives the account that left it, and no account it never had", async () => {
  const coverage = {
    kind: "filtered",
    programs: [encodeAddress(token)],
    owners: [],
    mints: [],
    collections: [],
  } as const;
  expect(summaries(await accountsToEmit(read, coverage, await openStore()))).toEqual([
    [1, encodeAddress(token), 5n],
    [2, encodeAddress(system), 0n],
    [3, encodeAddress(system), 0n],
    [4, encodeAddress(token), 1n],
  ]);
});

test("a store of the whole chain receives accounts of every owner", async () => {
  const reported = await accountsToEmit(read, { kind: "whole" }, await openStore());
  expect(summaries(reported)).toEqual([
    [1, encodeAddress(token), 5n],
    [2, encodeAddress(foreign), 1n],
    [3, encodeAddress(system), 0n],
    [4, encodeAddress(token), 1n],
    [5, encodeAddress(foreign), 1n],
  ]);
});

test("more accounts than are looked up at once are reported as they would be one by one", async () => {
  const store = await openStore();
  const many = Array.from({ length: 25_000 }, (_, index): Account => {
    const address = new Uint8Array(32);
    new DataView(address.buffer).setUint32(0, index);
    return { ...account(0, token, 20), address };
  });
  const closed = many.map((one): Account => ({ ...one, programOwner: system, lamports: 0n }));
  expect(await accountsToEmit(many, { kind: "whole" }, store)).toHaveLength(25_000);
  expect(await accountsToEmit([...closed, ...read], { kind: "whole" }, store)).toHaveLength(5);
});
