import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { fill } from "@lamplight/store-conformance/small-chain";
import { temporaryFile } from "../../test/temporary-file.ts";

let file: string;
let remove: () => void;
beforeEach(async () => {
  ({ file, remove } = temporaryFile());
  const store = openSqliteStore({ file, mode: "write" });
  await fill(store);
  const states = await store.readAccountPage(null, 1000);
  await store.holders?.add(states.map(({ current }) => current));
  await store.holders?.finish();
  await store.close();
});
afterEach(() => remove());

const problemsAfter = async (sql: string): Promise<string> => {
  const tampering = new DatabaseSync(file);
  tampering.exec(sql);
  tampering.close();
  const store = openSqliteStore({ file, mode: "write" });
  const problems = await store.checkIntegrity();
  await store.close();
  return problems.join("\n");
};

describe("checkIntegrity", () => {
  test("finds nothing in a store that no one tampered with", async () => {
    expect(await problemsAfter("SELECT 1")).toBe("");
  });

  test.each([
    ["DELETE FROM holding", "its holding is indexed wrongly"],
    ["UPDATE holding SET positive = 0", "its holding is indexed wrongly"],
    ["INSERT INTO holding VALUES (randomblob(32), randomblob(32), randomblob(32), 1)", "holding has 2 rows"],
    ["DELETE FROM holder", "its amount is indexed wrongly"],
    ["UPDATE holder SET amount = amount + 1", "its amount is indexed wrongly"],
    ["INSERT INTO holder VALUES (randomblob(32), 1, randomblob(32), 1)", "holder has 2 rows"],
    ["UPDATE holder_count SET empty = empty + 1", "its token accounts are counted wrongly"],
    ["DELETE FROM holder_count", "its token accounts are counted wrongly"],
    ["INSERT INTO holder_count VALUES (randomblob(32), 0, 0)", "its token accounts are counted wrongly"],
    ["UPDATE account SET delegate = NULL WHERE delegate IS NOT NULL", "its delegate is indexed wrongly"],
    [
      "UPDATE account SET delegate = randomblob(32), delegate_mint = randomblob(32)",
      "its delegate is indexed wrongly",
    ],
    ["DELETE FROM stake_hold", "its stake hold is indexed wrongly"],
    ["UPDATE stake_hold SET lockup_epoch = 0", "its stake hold is indexed wrongly"],
    ["INSERT INTO stake_hold VALUES (randomblob(32), 1, 1, 1, 1)", "stake_hold has 2 rows"],
    [
      "DELETE FROM account WHERE id IN (SELECT id FROM account_collision)",
      "account_collision have no other address",
    ],
    [
      "INSERT INTO tombstone SELECT id, tail, 1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM account LIMIT 3",
      "3 addresses are both living and closed",
    ],
    ["UPDATE account SET program = 99", "program 99"],
    ["UPDATE account SET data = x'05', flags = flags | 4 WHERE length(data) > 0", "cannot be decoded"],
    ["DELETE FROM asset_document WHERE ord = 3", "1 assets have no document"],
    ["DELETE FROM asset WHERE ord = 3", "1 documents belong to no asset"],
    ["UPDATE asset_document SET document = '{' WHERE ord < 2", "2 documents are not JSON"],
    ["UPDATE head SET next_ordinal = 5", "beyond the counters"],
    ["UPDATE head SET change_seq = 5", "beyond the counters"],
    ["UPDATE head SET top_accounts = 5", "the head row counts 5"],
    ["UPDATE head SET stake_holds = 5", "the head row counts 5"],
    ["UPDATE account SET flags = flags | 32 WHERE id = (SELECT max(id) FROM account)", "its flags are wrong"],
    ["UPDATE account SET flags = flags | 64 WHERE id = (SELECT max(id) FROM account)", "its flags are wrong"],
    [
      "INSERT INTO last_life VALUES (7, randomblob(24), 1, 1, 1, 0, 0, NULL, x'')",
      "last_life has 1 rows; the accounts need 0",
    ],
    [
      "INSERT INTO incomplete_tree VALUES (randomblob(32), 1, 2, NULL)",
      "incomplete_tree has 1 rows; the trees need 0",
    ],
    [
      'INSERT INTO ledger VALUES (1, zeroblob(32), zeroblob(32), \'{"ranges":[],"accountSeq":7}\')',
      "tree 11111111111111111111111111111111 is listed wrongly",
    ],
    [
      "UPDATE asset SET folded_name = 'x' WHERE ord = 3",
      "asset number 3: its name is searched under another one",
    ],
    ["UPDATE asset SET json_uri_hash = 7 WHERE ord = 3", "asset number 3: its URI is found by another one"],
  ])("names what is wrong after: %s", async (sql, problem) => {
    expect(await problemsAfter(sql)).toContain(problem);
  });

  test("names an account missing among the largest", async () => {
    expect(
      await problemsAfter("DELETE FROM top_account WHERE lamports = (SELECT max(lamports) FROM top_account)"),
    ).toContain("it is missing among the largest");
  });

  test("names a row too many among the largest", async () => {
    const problems = await problemsAfter("INSERT INTO top_account VALUES (5, randomblob(32))");
    expect(problems).toContain("top_account has 304 rows and the head row counts 303");
    expect(problems).toContain("top_account has 304 rows; the accounts need 303");
  });
});
