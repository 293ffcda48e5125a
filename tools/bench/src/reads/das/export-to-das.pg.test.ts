// A generated chain in das_api's tables: each value where das_api reads it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, treeTopOf } from "@lamplight/codecs";
import { inheritable } from "@lamplight/core";
import { demoAddresses, demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { openSqliteExport, openSqliteStore } from "@lamplight/store-sqlite";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authorityOf, collectionAccount, memberAccount } from "../../collections/core-accounts.ts";
import { sampleLeaves } from "../../sample-leaves.ts";
import { assetRequests } from "./asset-requests.ts";
import { dasRequests } from "./das-requests.ts";
import { dasTableNames, dasTables } from "./das-tables.ts";
import { exportToDas } from "./export-to-das.ts";

/** The words that das_api knows for the values that are exported. */
const words = {
  chain_mutability: ["unknown", "mutable", "immutable"],
  mutability: ["unknown", "mutable", "immutable"],
  owner_type: ["unknown", "token", "single"],
  royalty_target_type: ["unknown", "creators", "fanout", "single"],
  specification_versions: ["unknown", "v0", "v1", "v2"],
  specification_asset_class: [
    "unknown",
    "FUNGIBLE_TOKEN",
    "FUNGIBLE_ASSET",
    "NFT",
    "PROGRAMMABLE_NFT",
    "MPL_CORE_ASSET",
    "MPL_CORE_COLLECTION",
  ],
  v1_account_attachments: ["unknown", "edition", "master_edition_v1", "master_edition_v2"],
};

/** In two trees. */
const LEAVES = 60;

/** A slot that comes after every slot of the demo chain. */
const SLOT = 10 ** 9;

const tablesText = [
  ...Object.entries(words).map(
    ([type, values]) => `CREATE TYPE ${type} AS ENUM (${values.map((value) => `'${value}'`).join(", ")})`,
  ),
  ...dasTableNames.map(
    (table) =>
      `CREATE TABLE ${table} (${Object.entries(dasTables[table])
        .map(([column, type]) => `${column} ${type}`)
        .join(", ")})`,
  ),
  "CREATE UNIQUE INDEX ON asset_creators (asset_id, position)",
  "CREATE UNIQUE INDEX ON asset_grouping (asset_id, group_key)",
  "CREATE UNIQUE INDEX ON cl_items (tree, node_idx)",
].join(";");

describePostgres("export into das_api's tables", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-das-"));
  const file = join(folder, "demo.db");
  let postgres: TestPostgres;
  let client: Client;
  let exported = 0;
  beforeAll(async () => {
    const store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    const indexer = createIndexer(store);
    for (const { slot, blockhash, accounts } of demoChain())
      await indexer.applyAccounts(accounts, { slot, blockhash });
    const core = [collectionAccount({ authority: authorityOf(1), basisPoints: 250 }, 3, SLOT)];
    for (let index = 1; index <= 3; index += 1) core.push(memberAccount(index, SLOT));
    await indexer.applyAccounts(core, { slot: SLOT, blockhash: null });
    for (const batch of sampleLeaves(LEAVES, SLOT))
      await indexer.apply({ ...batch, watermark: { slot: batch.slot, blockhash: null } });
    await store.close();
    postgres = await startPostgres();
    client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(tablesText);
    exported = await exportToDas(file, postgres.url);
  });
  afterAll(async () => {
    await client.end();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  const rowsOf = async (sql: string, values: readonly unknown[] = []): Promise<readonly unknown[]> =>
    (await client.query(sql, [...values])).rows;

  const ownFactsOf = async (id: Uint8Array): Promise<unknown> => {
    const sql =
      "SELECT authority, royalty_amount FROM asset JOIN asset_authority ON asset_id = id WHERE id = $1";
    return (await rowsOf(sql, [id]))[0];
  };

  test("assets without compression have no hashes", async () => {
    const sql =
      "SELECT count(data_hash)::int AS data, count(creator_hash)::int AS creators FROM asset WHERE NOT compressed";
    expect(await rowsOf(sql)).toEqual([{ data: 0, creators: 0 }]);
  });

  test("every asset has one row and its data", async () => {
    expect(exported).toBeGreaterThan(50);
    const sql =
      "SELECT count(*)::int AS assets, count(d.id)::int AS data FROM asset a LEFT JOIN asset_data d ON d.id = a.asset_data";
    expect(await rowsOf(sql)).toEqual([{ assets: exported, data: exported }]);
  });

  test("a programmable NFT has owner, royalty, names, creators and its collection", async () => {
    const [row] = (await rowsOf(
      `SELECT a.*, d.chain_data, d.metadata_url FROM asset a JOIN asset_data d ON d.id = a.asset_data
       WHERE specification_asset_class = 'PROGRAMMABLE_NFT' AND royalty_amount > 0 AND a.owner IS NOT NULL
         AND EXISTS (SELECT FROM asset_grouping g WHERE g.asset_id = a.id) ORDER BY a.id LIMIT 1`,
    )) as { id: Buffer; owner: Buffer; chain_data: { name: string; token_standard: string } }[];
    expect(row).toMatchObject({
      owner_type: "single",
      supply: "1",
      burnt: false,
      compressed: false,
      chain_data: { name: expect.stringMatching(/^\S/u), token_standard: "ProgrammableNonFungible" },
      metadata_url: expect.stringMatching(/^(?:https|ipfs):/u),
    });
    expect(row?.owner).toHaveLength(32);
    const creators = await rowsOf(
      "SELECT share, verified, position FROM asset_creators WHERE asset_id = $1 ORDER BY position",
      [row?.id],
    );
    expect(creators.map((creator) => (creator as { position: number }).position)).toEqual(
      creators.map((_, index) => index),
    );
    expect(creators.reduce<number>((sum, one) => sum + (one as { share: number }).share, 0)).toBe(100);
    expect(
      await rowsOf("SELECT group_key, verified FROM asset_grouping WHERE asset_id = $1", [row?.id]),
    ).toEqual([{ group_key: "collection", verified: expect.any(Boolean) }]);
  });

  test("Core assets have what they take from their collections", async () => {
    const both = inheritable.authority | inheritable.royalty;
    let compared = 0;
    const store = openSqliteExport(file);
    for await (const page of store.pages("assets"))
      for (const { id, inherits } of page)
        if (inherits !== null && (inherits.facts & both) === both) {
          const facts = await ownFactsOf(id);
          expect(facts).toMatchObject({ authority: expect.any(Buffer), royalty_amount: expect.any(Number) });
          expect(facts).toEqual(await ownFactsOf(inherits.from));
          compared += 1;
        }
    await store.close();
    expect(compared).toBe(3);
  });

  test("the nodes of each tree give the root of its account", async () => {
    const roots: string[] = [];
    const store = openSqliteExport(file);
    for await (const page of store.pages("accounts"))
      for (const { current } of page) {
        const top = treeTopOf(current);
        if (top !== null) roots.push(Buffer.from(top.merkleRoot).toString("hex"));
      }
    await store.close();
    const rows = (await rowsOf("SELECT hash FROM cl_items WHERE node_idx = 1")) as { hash: Buffer }[];
    expect(roots).toHaveLength(2);
    expect(rows.map(({ hash }) => hash.toString("hex")).toSorted()).toEqual(roots.toSorted());
  });

  test("das_api finds the node of each leaf", async () => {
    const sql = `SELECT count(*)::int AS leaves,
        count(*) FILTER (WHERE i.hash = a.leaf)::int AS living, count(*) FILTER (WHERE a.burnt)::int AS burnt
      FROM asset a JOIN cl_items i ON i.tree = a.tree_id AND i.leaf_idx = a.nonce AND i.level = 0`;
    expect(await rowsOf(sql)).toEqual([{ leaves: LEAVES, living: LEAVES - 2, burnt: 2 }]);
  });

  test("token accounts give the supply of a mint", async () => {
    const sql = `SELECT t.supply::text AS supply, sum(a.amount)::text AS held
      FROM tokens t JOIN token_accounts a USING (mint) JOIN asset ON asset.id = mint
      WHERE owner_type = 'token' AND t.supply BETWEEN 1 AND 1000000000000
      GROUP BY mint, t.supply ORDER BY mint LIMIT 1`;
    const [row] = (await rowsOf(sql)) as { supply: string; held: string }[];
    expect(row?.held).toMatch(/^[1-9]\d*$/u);
    expect(row?.held).toBe(row?.supply);
  });

  test("prints name their master edition and their mint", async () => {
    const rows = (await rowsOf(
      "SELECT id, asset_id, attachment_type, data FROM asset_v1_account_attachments",
    )) as { id: Buffer; asset_id: Buffer | null; attachment_type: string; data: { parent: string } }[];
    const prints = rows.filter((row) => row.attachment_type === "edition");
    const masters = new Set(rows.filter((row) => !prints.includes(row)).map(({ id }) => encodeAddress(id)));
    expect(prints.length).toBeGreaterThan(2);
    for (const { asset_id: mint, data } of prints) {
      expect(masters).toContain(data.parent);
      expect(mint).toHaveLength(32);
    }
  });

  test("the requests are of each DAS method", async () => {
    const work = Object.values(await dasRequests(file, 5)) as { readonly method: string }[][];
    for (const calls of work) expect(calls.length, JSON.stringify(work)).toBeGreaterThan(0);
    expect([...new Set(work.map(([call]) => call!.method))]).toEqual([
      "getAsset",
      "getAssetBatch",
      "getAssetProof",
      "getAssetProofBatch",
      "getAssetsByOwner",
      "getAssetsByCreator",
      "getAssetsByAuthority",
      "getAssetsByGroup",
      "searchAssets",
      "getTokenAccounts",
      "getNftEditions",
    ]);
  });

  test("supplies keep every digit", async () => {
    const [row] = (await rowsOf("SELECT max(supply)::text AS most FROM tokens")) as { most: string }[];
    const [asset] = (await rowsOf("SELECT max(supply)::text AS most FROM asset")) as { most: string }[];
    expect(row?.most).toMatch(/^\d+$/u);
    expect(asset?.most).toBe(row?.most);
  });

  test("requests name living assets that are in the tables", async () => {
    const { getAsset = [] } = (await assetRequests(file, 20)) as {
      readonly getAsset?: readonly { readonly params: { readonly id: string } }[];
    };
    expect(getAsset.length).toBeGreaterThan(5);
    const living = (await rowsOf("SELECT id FROM asset WHERE NOT burnt AND supply > 0")) as { id: Buffer }[];
    const known = new Set(living.map(({ id }) => encodeAddress(id)));
    for (const { params } of getAsset) expect(known).toContain(params.id);
    expect(known).toContain(demoAddresses.nft);
  });
});
