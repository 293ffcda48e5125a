import type { Criterion } from "@lamplight/core";
import { afterAll, describe, expect, test } from "vitest";
import { migratedConnection } from "../../test/migrated-connection.ts";
import { findAccountSql, findCollisionSql } from "./find-account.ts";
import { findAssetSql } from "./find-asset.ts";
import { getAssetsSql } from "./get-assets.ts";
import { accountsByDelegateSql, collisionsByDelegateSql } from "./list-accounts-by-delegate.ts";
import { findEditionSql, listEditionsSql } from "./list-editions.ts";
import {
  listedAccountsSql,
  topAccountsSql,
  topCirculatingSql,
  topNonCirculatingStakesSql,
} from "./list-largest-accounts.ts";
import { holdersByAddressSql, holdersByAmountSql } from "./list-holders.ts";
import { listHoldingsSql, listWalletSql } from "./list-holdings.ts";
import { listFewHeldSql, listHeldSql } from "./list-held-ordinals.ts";
import { listFewSql, listOrdinalsSql } from "./list-ordinals.ts";
import {
  findQueueAfterSql,
  listContentsSql,
  listDueSql,
  listIdsSql,
  packContentsSql,
} from "../offchain/offchain-store.ts";
import { assetPageSql, changedAssetsSql, factsByIdSql } from "./read-asset-page.ts";
import { packAssetsSql } from "./pack-assets.ts";
import { changedContentsSql, changedItemsSql, itemStateSql } from "../reader/cached-items.ts";
import { linkPageSql } from "./read-links.ts";

const { connection, remove } = migratedConnection();
afterAll(remove);

const planOf = (sql: string): readonly string[] =>
  connection
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row[3]));

const noSort = expect.not.arrayContaining([expect.stringContaining("TEMP B-TREE")]);

/** The plan of two ranges, one after the other. */
const planOfBoth = (search: string): readonly string[] => [
  "COMPOUND QUERY",
  "LEFT-MOST SUBQUERY",
  search,
  "UNION ALL",
  search,
];

describe("query plans", () => {
  test.each([
    [findAccountSql, ["SEARCH account USING INTEGER PRIMARY KEY (rowid=?)"]],
    [
      findCollisionSql,
      ["SEARCH account_collision USING INDEX sqlite_autoindex_account_collision_1 (id=? AND tail=?)"],
    ],
    [
      findAssetSql,
      [
        "SEARCH asset USING INDEX sqlite_autoindex_asset_1 (id=?)",
        "SEARCH asset_document USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ],
    [listDueSql.newest, ["SEARCH offchain USING INDEX offchain_queue_new (queue=?)"]],
    [listDueSql.oldest, ["SEARCH offchain USING INDEX offchain_queue_new (queue=?)"]],
    [
      listDueSql.tried,
      ["SEARCH offchain USING INDEX offchain_queue_tried (queue=? AND due_ms>? AND due_ms<?)"],
    ],
    [findQueueAfterSql, ["SEARCH offchain USING COVERING INDEX offchain_queue (queue>?)"]],
    [factsByIdSql, ["SEARCH asset USING INDEX sqlite_autoindex_asset_1 (id=?)"]],
    [listHoldingsSql, ["SEARCH holding USING PRIMARY KEY (token_owner=? AND mint=? AND token_account>?)"]],
    [listWalletSql, ["SEARCH holding USING PRIMARY KEY (token_owner=? AND (mint,token_account)>(?,?))"]],
    ...(["asc", "desc"] as const).flatMap((direction): [string, string[]][] => [
      [
        holdersByAddressSql(direction),
        [
          `SEARCH holder USING PRIMARY KEY (mint=? AND positive=? AND token_account${direction === "asc" ? ">" : "<"}?)`,
        ],
      ],
    ]),
    [
      holdersByAmountSql.asc,
      ["SEARCH holder USING COVERING INDEX holder_amount (mint=? AND (amount,token_account)>(?,?))"],
    ],
    [
      holdersByAmountSql.desc,
      [
        "SEARCH holder USING COVERING INDEX holder_amount (mint=? AND amount>? AND (amount,token_account)<(?,?))",
      ],
    ],
    [listEditionsSql.offset, ["SEARCH edition USING PRIMARY KEY (parent=? AND (number,address)>(?,?))"]],
    [listEditionsSql.place, ["SEARCH edition USING PRIMARY KEY (parent=? AND (number,address)>(?,?))"]],
    [listEditionsSql.after, ["SEARCH edition USING PRIMARY KEY (parent=? AND number>?)"]],
    [listEditionsSql.before, ["SEARCH edition USING PRIMARY KEY (parent=? AND number<?)"]],
    [findEditionSql.mint, ["SEARCH edition USING COVERING INDEX edition_mint (mint=?)"]],
    [linkPageSql, ["SEARCH link USING PRIMARY KEY (target=? AND role=? AND source>?)"]],
    [
      changedAssetsSql,
      [
        "SEARCH asset USING INDEX sqlite_autoindex_asset_2 (change_seq>?)",
        "SEARCH asset_document USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ],
    [
      assetPageSql,
      [
        "SEARCH asset USING INTEGER PRIMARY KEY (rowid>?)",
        "SEARCH asset_document USING INTEGER PRIMARY KEY (rowid=?)",
      ],
    ],
  ])("%s", (sql, expected) => {
    expect(planOf(sql)).toEqual(expected);
  });

  test("by delegate reads the partial index in order", () => {
    expect(planOf(accountsByDelegateSql("any"))).toEqual(
      planOfBoth(
        "SEARCH account USING INDEX account_delegate (delegate=? AND program=? AND rowid>? AND rowid<?)",
      ),
    );
    expect(planOf(accountsByDelegateSql("given"))).toEqual(
      planOfBoth(
        "SEARCH account USING INDEX account_delegate_mint (delegate=? AND delegate_mint=? AND program=? AND rowid>? AND rowid<?)",
      ),
    );
  });

  test("by delegate reads the collision table by its index too", () => {
    expect(planOf(collisionsByDelegateSql)[0]).toMatch(
      /^SEARCH account_collision USING INDEX account_collision_delegate/,
    );
  });

  test("the largest come in the order of a key, nothing is sorted, no account is scanned", () => {
    for (const sql of [`${topAccountsSql} LIMIT 20`, topCirculatingSql, topNonCirculatingStakesSql]) {
      expect(planOf(sql)).toEqual(noSort);
      expect(planOf(sql).join()).not.toMatch(/\b(SCAN|SEARCH) account\b/);
    }
    expect(planOf(topCirculatingSql)).toContainEqual(
      expect.stringContaining("SEARCH stake_hold USING PRIMARY KEY (address=?)"),
    );
    expect(planOf(topNonCirculatingStakesSql)).toEqual([
      "SCAN stake_hold USING COVERING INDEX stake_hold_lamports",
    ]);
    expect(planOf(listedAccountsSql)).toContain("SEARCH account USING INTEGER PRIMARY KEY (rowid=?)");
  });

  test("documents of a page are fetched by key", () => {
    expect(planOf(getAssetsSql)).toEqual([
      "SCAN asked VIRTUAL TABLE INDEX 1:",
      "SEARCH asset_document USING INTEGER PRIMARY KEY (rowid=?)",
      "USE TEMP B-TREE FOR ORDER BY",
    ]);
    expect(planOf(listContentsSql)).toEqual([
      "SCAN asked VIRTUAL TABLE INDEX 1:",
      "SEARCH offchain USING INDEX offchain_uri (uri_hash=?)",
    ]);
    expect(planOf(listIdsSql)).toEqual(planOf(listContentsSql));
    expect(planOf(packAssetsSql)).toEqual([
      "SCAN asked VIRTUAL TABLE INDEX 1:",
      "SEARCH asset_document USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
    expect(planOf(packContentsSql)).toEqual([
      "SCAN asked VIRTUAL TABLE INDEX 1:",
      "SEARCH offchain USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    ]);
  });

  test("what changed since a number is found by an index", () => {
    expect(planOf(itemStateSql)).toContain(
      "SEARCH offchain USING COVERING INDEX offchain_content_seq (content_seq>?)",
    );
    expect(planOf(changedItemsSql)).toEqual([
      "SEARCH asset USING COVERING INDEX sqlite_autoindex_asset_2 (change_seq>?)",
    ]);
    expect(planOf(changedContentsSql)).toEqual([
      "SEARCH offchain USING INDEX offchain_content_seq (content_seq>?)",
      "SEARCH asset USING COVERING INDEX asset_json_uri (json_uri_hash=?) LEFT-JOIN",
    ]);
  });

  const key = new Uint8Array(32);
  const indexed: readonly (readonly [Criterion, string])[] = [
    [{ kind: "owner", owner: key, ownerModel: "single", includeZero: false }, "asset_owner"],
    [{ kind: "creator", creator: key, verified: true }, "asset_creator_creator"],
    [{ kind: "authority", value: key }, "asset_authority"],
    [{ kind: "group", key: "collection", value: "A", includeUnverified: false }, "asset_group_value"],
    [{ kind: "delegate", value: key }, "asset_delegate"],
    [{ kind: "supply", value: 1n }, "asset_supply"],
    [{ kind: "supplyMint", value: key }, "asset_supply_mint"],
    [{ kind: "royaltyTarget", target: key }, "asset_creator_creator"],
    [{ kind: "basisPoints", value: 5 }, "asset_basis_points"],
    [{ kind: "jsonUri", value: "a" }, "asset_json_uri"],
    [{ kind: "tree", value: key }, "asset_tree"],
  ];
  // The search index answers them; a small store is read whole, row by row in the order of ordinals.
  const filtered: readonly Criterion[] = [
    { kind: "interface", value: "V1_NFT" },
    { kind: "ownerModel", value: "token" },
    { kind: "creatorVerified", verified: true },
    { kind: "royaltyModel", value: "fanout" },
    { kind: "frozen", value: true },
    { kind: "burnt", value: true },
    { kind: "tokenType", tokenType: "fungible" },
  ];
  test.each(filtered)("a criterion of few values is filtered, without a sort: %o", (criterion) => {
    const plan = planOf(listOrdinalsSql(criterion)).join("\n");
    expect(plan).not.toMatch(/ INDEX asset_/);
    expect(plan).not.toContain("TEMP B-TREE FOR ORDER BY");
  });

  test.each(indexed)("one criterion reads its index: %o", (criterion, index) => {
    const plan = planOf(listOrdinalsSql(criterion)).join("\n");
    for (const one of [plan, planOf(listFewSql(criterion)).join("\n")]) {
      expect(one).toMatch(new RegExp(`INDEX ${index} `));
      expect(one).not.toMatch(/SCAN asset(?! USING)/);
    }
    // A list of millions is read chunk by chunk, none of which may read all of it.
    expect(plan).not.toContain("TEMP B-TREE");
  });

  test.each([true, false])("holdings are read by their key, between two places: zeros %s", (includeZero) => {
    const criterion = { kind: "owner", owner: key, ownerModel: "token", includeZero } as const;
    const few = planOf(listFewHeldSql(criterion)).join("\n");
    expect(few).toContain("SEARCH main.holding USING PRIMARY KEY (token_owner=?)");
    const slice = planOf(listHeldSql(criterion)).join("\n");
    expect(slice).toContain(
      "SEARCH holding USING PRIMARY KEY (token_owner=? AND (mint,token_account)>(?,?) AND (mint,token_account)<(?,?))",
    );
    for (const plan of [few, slice]) {
      expect(plan).toContain("INDEX asset_supply_mint");
      expect(plan).not.toContain("TEMP B-TREE");
    }
  });
});
