// Tests of the index that answers each criterion, with and without statistics of the tables. Statements are planned for
// any value, as the server plans them once it has used a prepared statement a few times.

import type { Criterion } from "@lamplight/core";
import { Client } from "pg";
import { expect, test } from "vitest";
import { openPostgresImport } from "../copy/import-store.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { changeStatements } from "../reader/cached-items.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import type { Value } from "../engine/session.ts";
import type { Statement } from "../engine/statement.ts";
import { addressOf, assetOf, tokenAccountOf } from "@lamplight/store-conformance/small-chain";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { pageOfAnyMint, pageOfOneMint } from "./list-accounts-by-delegate.ts";
import { accountStatements } from "./find-account.ts";
import { assetStatements } from "./find-asset.ts";
import { tokenAccountStatements } from "./find-token-accounts.ts";
import { assetsStatements } from "./find-assets.ts";
import { holderLists } from "./list-holders.ts";
import { listOrdinalsSql } from "./list-ordinals.ts";
import { editionPageStatements } from "./find-edition-page.ts";
import { editionAtOffset } from "./list-editions.ts";
import { delegatedStatements } from "./read-delegated-with-head.ts";
import { ledgerStatements } from "./read-ledger-with-head.ts";
import { ordinalsSql } from "./search-criteria.ts";

const ASSETS = 20_000;
const HOLDINGS = 5000;
const PAGE = 1000;
const LIMIT = 65_537;

const owner = addressOf("owner 3");

const fillAt = async (url: string): Promise<void> => {
  const target = await openPostgresImport({ url, holdings: true });
  const accounts = Array.from({ length: HOLDINGS }, (_, index) => {
    const account = tokenAccountOf(`token ${index}`);
    account.data.set(addressOf(`wallet ${index % 500}`), 32);
    account.data.set(addressOf(`delegate ${index % 500}`), 76);
    return { current: account, lastLife: null };
  });
  await target.write("accounts", accounts);
  for (let from = 0; from < ASSETS; from += PAGE) {
    const page = Array.from({ length: PAGE }, (_, index) => {
      const ordinal = from + index;
      return {
        ...assetOf(ordinal),
        ordinal,
        changeSeq: ordinal + 1,
        ownerModel: ordinal % 2 === 0 ? ("single" as const) : ("token" as const),
        assetOwner: ordinal % 2 === 0 ? addressOf(`owner ${ordinal % 500}`) : null,
        delegate: ordinal % 20 === 0 ? addressOf(`delegate ${ordinal % 100}`) : null,
        authority: addressOf(`authority ${ordinal % 300}`),
        tree: ordinal % 4 === 0 ? addressOf(`tree ${ordinal % 50}`) : null,
        burnt: ordinal % 400 === 0,
        creators: [{ address: addressOf(`creator ${ordinal % 300}`), verified: true, share: 100 }],
        groups: [{ key: "collection", value: `${ordinal % 300}`, verified: true }],
        jsonUri: `https://example.com/${ordinal}`,
      };
    });
    await target.write("assets", page);
  }
  await target.finish(
    {
      watermark: { slot: 1, blockhash: null },
      changeSeq: ASSETS,
      nextOrdinal: ASSETS,
      coverage: { kind: "whole" },
      holdings: true,
      holders: false,
      notes: {},
    },
    () => {},
  );
  await target.close();
  const { holders, close } = await openHolders(url);
  await holders.begin();
  await holders.add(accounts.map(({ current }) => current));
  await holders.finish();
  await close();
};

const openHolders = async (url: string) => {
  const store = await openPostgresStore({ url, mode: "write" });
  return { holders: store.holders!, close: () => store.close() };
};

const criteria: readonly (readonly [string, Criterion])[] = [
  ["asset_owner", { kind: "owner", owner, ownerModel: "single", includeZero: false }],
  [
    "holding_pkey asset_supply_mint",
    { kind: "owner", owner: addressOf("wallet 9"), ownerModel: "token", includeZero: false },
  ],
  [
    "asset_owner holding_pkey asset_supply_mint",
    { kind: "owner", owner: addressOf("wallet 9"), ownerModel: null, includeZero: true },
  ],
  ["asset_delegate", { kind: "delegate", value: addressOf("delegate 20") }],
  ["asset_authority", { kind: "authority", value: addressOf("authority 7") }],
  ["asset_tree", { kind: "tree", value: addressOf("tree 8") }],
  ["asset_supply_mint", { kind: "supplyMint", value: addressOf("asset 5") }],
  ["asset_json_uri", { kind: "jsonUri", value: "https://example.com/5" }],
  ["asset_creator_creator", { kind: "creator", creator: addressOf("creator 4"), verified: true }],
  ["asset_creator_creator", { kind: "royaltyTarget", target: addressOf("creator 4") }],
  ["asset_group_value", { kind: "group", key: "collection", value: "4", includeUnverified: false }],
];

type Asked = Value | readonly Uint8Array[];

const literal = (value: Asked): string =>
  Array.isArray(value)
    ? `ARRAY[${value.map(literal).join(", ")}]`
    : value instanceof Uint8Array
      ? `'\\x${Buffer.from(value).toString("hex")}'::bytea`
      : String(value);

const typeOf = (value: Asked): string =>
  typeof value === "boolean"
    ? "boolean"
    : Array.isArray(value)
      ? "bytea[]"
      : value instanceof Uint8Array
        ? "bytea"
        : "bigint";

const explain = async (client: Client, sql: string, values: readonly Asked[]): Promise<string> => {
  await client.query(`PREPARE asked (${values.map(typeOf).join(", ")}) AS ${sql}`);
  const { rows } = await client.query<{ "QUERY PLAN": string }>(
    `EXPLAIN (COSTS OFF) EXECUTE asked (${values.map(literal).join(", ")})`,
  );
  await client.query("DEALLOCATE asked");
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
};

/** Indexes that the plan reads, in its order, and whether it reads a table whole. */
const planOf = async (client: Client, sql: string, values: readonly Asked[]): Promise<string> => {
  const plan = await explain(client, sql, values);
  // The scanned table has one row, the head.
  expect(plan.replace("Seq Scan on head", "")).not.toContain("Seq Scan");
  return indexesIn(plan).join(" ");
};

const indexesIn = (plan: string): readonly string[] =>
  [...plan.matchAll(/(?:Scan using|Index Scan on) (\w+)/gu)].map((match) => match[1]!);

const pointReads: readonly (readonly [string, Statement])[] = [
  ["account_pkey", accountStatements.account],
  ["account_pkey account_pkey", accountStatements.accountWithMint],
  ["asset_document_pkey asset_pkey asset_document_pkey", assetStatements.asset],
  ["asset_document_pkey asset_pkey asset_document_pkey offchain_pkey", assetStatements.assetWithContent],
];

const expectPlans = async (client: Client): Promise<void> => {
  for (const [indexes, criterion] of criteria) {
    const values = [...ordinalsSql(criterion).values, LIMIT];
    expect(await planOf(client, listOrdinalsSql(criterion), values), JSON.stringify(criterion)).toBe(indexes);
  }
  for (const [indexes, { text }] of pointReads)
    expect((await planOf(client, text, [owner])).replace("head_pkey ", ""), text).toBe(indexes);
  expect(await planOf(client, assetsStatements.withContents.text, [[owner, owner], LIMIT])).toBe(
    "asset_pkey asset_document_pkey asset_document_pkey offchain_pkey",
  );
  for (const [index, { text }] of [
    ["asset_change_seq", changeStatements.changedAssets],
    ["offchain_content_seq", changeStatements.changedContents],
  ] as const) {
    const plan = await explain(client, text, [LIMIT, LIMIT]);
    expect(plan).toContain(`Index Scan using ${index} on`);
    expect(plan).not.toContain("Sort");
  }
  for (const [index, { text }] of [
    ["account_delegate", pageOfAnyMint],
    ["account_delegate_mint", pageOfOneMint],
  ] as const) {
    const plan = await explain(client, text, [owner, 1, owner, 1024]);
    expect(plan).toContain(`Index Scan using ${index} on`);
    expect(plan).not.toContain("Sort");
  }
  const { address, amount } = holderLists;
  for (const [index, { text }, values] of [
    ["holder_pkey", address.asc, [owner, true, owner, 4096]],
    ["holder_pkey", address.desc, [owner, true, owner, 4096]],
    ["holder_amount", amount.asc, [owner, 7, owner, 4096]],
    ["holder_amount", amount.desc, [owner, 7, owner, 4096, 0]],
  ] as const) {
    const plan = await explain(client, text, values);
    expect(plan).toMatch(new RegExp(`Index (?:Only )?Scan (?:Backward )?using ${index} on`, "u"));
    expect(plan).not.toContain("Sort");
  }
  const { ofWallet, ofWalletAndMint, ...ofMint } = tokenAccountStatements;
  for (const [index, { text }, values] of [
    ["holding_pkey", ofWallet, [owner, 1001, false]],
    ["holding_pkey", ofWalletAndMint, [owner, 1001, false, owner]],
    ["holder_pkey", ofMint.byAddress, [owner, true, owner, 1001]],
    ["holder_pkey", ofMint.byAddressFalling, [owner, true, owner, 1001]],
    ["holder_amount", ofMint.byAmount, [owner, 7, owner, 1001]],
    ["holder_amount", ofMint.byAmountFalling, [owner, 7, owner, 1001, 0]],
  ] as const) {
    const plan = await explain(client, text, values);
    // The tables that may be scanned have one row.
    expect(plan.replaceAll(/Seq Scan on (?:head|holder_count)/gu, "")).not.toMatch(/Seq Scan|Sort|Hash/u);
    for (const read of [index, "account_pkey"])
      expect(plan).toMatch(new RegExp(`Scan (?:Backward )?using ${read} on`, "u"));
  }
  for (const [index, { text }, second] of [
    ["account_delegate", delegatedStatements.ofProgram, 1],
    ["account_delegate", delegatedStatements.ofProgramWithMints, 1],
    ["account_delegate_mint", delegatedStatements.ofMint, owner],
  ] as const) {
    const plan = await explain(client, text, [owner, second, 1024]);
    expect(plan.replace("Seq Scan on head", "")).not.toMatch(/Seq Scan|Sort/u);
    const mints = text.includes("ANY") ? ["account_pkey"] : [];
    expect(new Set(["head_pkey", ...indexesIn(plan)]), plan).toEqual(new Set(["head_pkey", index, ...mints]));
  }
};

describeWithPostgres("plans of criteria and point reads", (under) => {
  test("read the index that is meant and no other, whatever the server knows of the rows", async () => {
    const url = under().newStore();
    await fillAt(url);
    const { connectionString, schema } = parsePostgresUrl(url);
    const open = async (): Promise<Client> => {
      const options = `-c search_path=${schema} -c jit=off -c plan_cache_mode=force_generic_plan`;
      const client = new Client({ connectionString, options });
      await client.connect();
      return client;
    };
    const known = await open();
    await known.query(`INSERT INTO offchain (uri_key, uri, status, immutable, first_seen_ms, attempts, queue)
SELECT sha256(n::text::bytea), n::text::bytea, 0, false, 1, 0, '' FROM generate_series(1, 5000) n`);
    await known.query("ANALYZE offchain");
    await expectPlans(known);
    await known.query("DELETE FROM pg_statistic");
    await known.query(
      "UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relnamespace = current_schema()::regnamespace",
    );
    await known.end();
    const unknown = await open();
    await expectPlans(unknown);
    await unknown.end();
  });

  test("are made once for statements with arrays", async () => {
    const url = under().newStore();
    await fillAt(url);
    const { connectionString, schema } = parsePostgresUrl(url);
    const client = new Client({ connectionString, options: `-c search_path=${schema}` });
    await client.connect();
    const ids = Array.from({ length: 8 }, (_, index) => addressOf(`asset ${index}`));
    for (const [index, [{ text }, ...values]] of (
      [
        [assetsStatements.bare, ids, LIMIT],
        [assetsStatements.withContents, ids, LIMIT],
        [ledgerStatements.ledgers, 0, ids],
      ] as const
    ).entries()) {
      const types = values.map((value) => (value === 0 ? "smallint" : typeOf(value)));
      await client.query(`PREPARE asked_${index} (${types.join(", ")}) AS ${text}`);
      const sent = `EXECUTE asked_${index} (${values.map((value) => literal(value)).join(", ")})`;
      for (let times = 0; times < 8; times += 1) await client.query(sent);
    }
    const { rows } = await client.query("SELECT generic_plans > 0 AS once FROM pg_prepared_statements");
    expect(rows).toEqual([{ once: true }, { once: true }, { once: true }]);
    await client.end();
  });

  test("skip the prints before a page by their key alone", async () => {
    const url = under().newStore();
    await (await openPostgresStore({ url, mode: "write" })).close();
    const { connectionString, schema } = parsePostgresUrl(url);
    // Any plan would do for an empty table. The options rule out other plans, to test whether the key can answer.
    const options = `-c search_path=${schema} -c enable_seqscan=off -c enable_bitmapscan=off`;
    const client = new Client({ connectionString, options });
    await client.connect();
    await client.query(`PREPARE asked (bytea, bigint) AS ${editionAtOffset.text}`);
    const { rows } = await client.query("EXPLAIN (COSTS OFF) EXECUTE asked ('\\x01', 1000)");
    expect(JSON.stringify(rows)).toMatch(/Index Only Scan using edition_pkey.*Index Cond: \(parent = /u);
    await client.query("DEALLOCATE asked");
    for (const { text } of Object.values(editionPageStatements)) {
      const plan = await explain(client, text, [addressOf("mint"), 1000, 11]);
      expect(plan.replace("Seq Scan on head", "")).not.toMatch(/Seq Scan|Sort|Hash/u);
      expect(new Set(indexesIn(plan)), plan).toEqual(new Set(["account_pkey", "head_pkey", "edition_pkey"]));
      expect(plan).not.toMatch(/Filter: .*number/u);
    }
    await client.end();
  });
});
