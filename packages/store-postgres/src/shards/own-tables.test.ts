import { expect, test } from "vitest";
import { registeredStatements } from "../engine/statement.ts";
import { withOwnTables } from "./own-tables.ts";
import { writeNumbered } from "./write-numbered.ts";

const tables = new Map(
  `account asset asset_creator asset_document asset_group asset_removed asset_seen edition head holder holder_count holding
incomplete_tree last_life ledger link program stake_hold tombstone top_account`
    .split(/\s/u)
    .map((name) => [name, `s.${name}_1`] as const),
);

test.each([
  ["SELECT slot FROM head WHERE id = 1", "SELECT slot FROM s.head_1 AS head WHERE id = 1"],
  [
    "INSERT INTO account (slot)\nSELECT * FROM unnest($1) ON CONFLICT (slot) DO UPDATE SET slot = 1 WHERE account.slot < 2",
    "INSERT INTO s.account_1 AS account (slot)\nSELECT * FROM unnest($1) ON CONFLICT (slot) DO UPDATE SET slot = 1 WHERE account.slot < 2",
  ],
  ["UPDATE head SET slot = $1", "UPDATE s.head_1 AS head SET slot = $1"],
  ["DELETE FROM asset_group listed WHERE id = 1", "DELETE FROM s.asset_group_1 listed WHERE id = 1"],
  [
    "SELECT 1 FROM account AS a\nJOIN asset b ON true",
    "SELECT 1 FROM s.account_1 AS a\nJOIN s.asset_1 b ON true",
  ],
  [
    "UPDATE asset SET name = $1 WHERE asset.name IS DISTINCT FROM asset.symbol",
    "UPDATE s.asset_1 AS asset SET name = $1 WHERE asset.name IS DISTINCT FROM asset.symbol",
  ],
  ["UPDATE node_slot SET epoch = $1", "UPDATE node_slot SET epoch = $1"],
])("%s names the own tables", (text, own) => {
  expect(withOwnTables(text, tables)).toBe(own);
});

test("every statement that writes rows names no other table", () => {
  const written = registeredStatements().filter(({ text }) => /^(?:INSERT|UPDATE|DELETE)/u.test(text));
  // Its module registers them.
  expect(writeNumbered).toBeTypeOf("function");
  expect(written.length).toBeGreaterThan(20);
  const left = [...tables.keys()].map(
    (name) => new RegExp(`(?:FROM|INTO|UPDATE|JOIN|,)\\s+${name}\\b(?!\\.)`, "u"),
  );
  for (const { text } of written) {
    const sources = withOwnTables(text, tables).replaceAll(/\([^()]*\)|SET [^;]*?(?=WHERE|$)/gu, "");
    for (const one of left) expect(sources).not.toMatch(one);
  }
});
