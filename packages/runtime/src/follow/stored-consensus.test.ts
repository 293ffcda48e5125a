import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress, programAddresses } from "@lamplight/codecs";
import { type Coverage, GENESIS_CERTIFICATE_ADDRESS } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { StoredConsensus } from "./stored-consensus.ts";

const whole: Coverage = { kind: "whole" };
const some: Coverage = {
  kind: "filtered",
  owners: [],
  mints: [],
  collections: [],
  programs: [],
  accounts: [],
  trees: [],
};
const { system, token } = programAddresses;

test.each([
  ["alpenglow", whole, { data: Uint8Array.of(1), programOwner: system }],
  ["alpenglow", some, { data: Uint8Array.of(1), programOwner: system }],
  ["towerbft", whole, { data: new Uint8Array(0), programOwner: system }],
  ["towerbft", whole, { data: Uint8Array.of(1), programOwner: token }],
  ["towerbft", whole, null],
  [null, some, { data: new Uint8Array(0), programOwner: system }],
  [null, some, null],
] as const)("is %s with %j and the account %j", async (right, coverage, account) => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-consensus-"));
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  const address = decodeAddress(GENESIS_CERTIFICATE_ADDRESS);
  const other = { lamports: 1n, executable: false, rentEpoch: 0n, slot: 9, writeVersion: 0 };
  const accounts = account === null ? [] : [{ address, ...other, ...account }];
  await createIndexer(store).applyAccounts(accounts, { slot: 10, blockhash: null });
  const reader = openSqliteReader({ file });
  const consensus = new StoredConsensus(reader, coverage);
  onTestFinished(async () => {
    consensus.close();
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  expect(consensus.found).toBe(null);
  await consensus.refresh();
  expect(consensus.found).toBe(right);
});
