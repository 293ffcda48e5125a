// Tests of the flags of getAsset and of the positions of getNftEditions, over a real store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editionAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  callMethod,
  createMethodSettings,
  type JsonValue,
  offchainRow,
  parseExact,
  CallRequest,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { coreAsset, emptiedAt, key, masterEdition, metadata, mint, print } from "../test/encode-accounts.ts";
import { createIndexer, type Indexer } from "./indexer.ts";

const nft = key(1);
const collection = key(2);
const uri = "https://a.b/collection";
const watermark = { slot: 100, blockhash: null };

let folder: string;
let store: ReturnType<typeof openSqliteStore>;
let indexer: Indexer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-answers-"));
  store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
  indexer = createIndexer(store);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const ask = async (method: string, params: readonly unknown[] | object): Promise<JsonValue> => {
  const reader = openSqliteReader({ file: join(folder, "index.db") });
  const settings = createMethodSettings({ apiVersion: "0.0.0", assetCommitment: "finalized" });
  const request = new CallRequest({ viewSource: reader, settings });
  try {
    return parseExact(await callMethod(method, params, request)) as JsonValue;
  } finally {
    request.close();
    reader.close();
  }
};

const group = { group_key: "collection", group_value: encodeAddress(collection) };
const memberOf = (verified: boolean) =>
  metadata(5, { mint: nft, collection: { verified, address: collection } });

const show = async (...flags: readonly string[]): Promise<unknown> => {
  const config = Object.fromEntries(flags.map((flag) => [flag, true]));
  return ask("getAsset", [encodeAddress(nft), config]);
};

describe("minContextSlot", () => {
  const calls: readonly (readonly [method: string, params: object])[] = [
    ["getAsset", { id: encodeAddress(nft) }],
    ["getNftEditions", { mint: encodeAddress(nft) }],
    ["searchAssets", {}],
  ];
  test.each(calls)("%s refuses a store that has not reached it", async (method, params) => {
    await store.writeCoverage({ kind: "whole" });
    await indexer.applyAccounts([mint(nft, 5), memberOf(true), masterEdition(nft, 5, 2n, null)], watermark);
    const { slot } = watermark;
    const forms = (minContextSlot: number) => [
      { ...params, minContextSlot },
      ...(method === "getNftEditions" ? [] : [{ ...params, options: { minContextSlot } }]),
    ];
    for (const form of forms(slot)) expect(await ask(method, form)).toEqual(await ask(method, params));
    for (const form of forms(slot + 1))
      await expect(ask(method, form)).rejects.toMatchObject({
        code: "ACCOUNT__SLOT_NOT_REACHED",
        context: { contextSlot: slot },
      });
  });
});

describe("the flags of getAsset", () => {
  test("an unverified group is shown with its flag only, a verified one always", async () => {
    await indexer.applyAccounts([mint(nft, 5), memberOf(false)], watermark);
    expect(await show()).toMatchObject({ grouping: [] });
    expect(await show("showUnverifiedCollections")).toMatchObject({
      grouping: [{ ...group, verified: false }],
    });
    await indexer.applyAccounts([{ ...memberOf(true), slot: 6 }], watermark);
    expect(await show()).toHaveProperty("grouping", [group]);
    expect(await show("showUnverifiedCollections")).toHaveProperty("grouping", [
      { ...group, verified: true },
    ]);
  });

  test("collection metadata are the collection's own, empty while it is not known", async () => {
    await indexer.applyAccounts([mint(nft, 5), memberOf(true)], watermark);
    const empty = { name: "", symbol: "", image: "", description: "", external_url: "" };
    expect(await show("showCollectionMetadata")).toHaveProperty("grouping", [
      { ...group, collection_metadata: empty },
    ]);
    await indexer.applyAccounts(
      [mint(collection, 5), metadata(5, { mint: collection, name: "Family", uri })],
      watermark,
    );
    const said = { name: "no", image: "https://a.b/i.png", description: "All", external_url: "https://a.b" };
    await store.offchain?.writeRows([
      offchainRow(uri, { status: "ok", json: JSON.stringify(said), fetchedMs: 0 }),
    ]);
    const known = { ...said, name: "Family", symbol: "SYM" };
    expect(await show("showCollectionMetadata")).toHaveProperty("grouping", [
      { ...group, collection_metadata: known },
    ]);
    expect(await show("showCollectionMetadata", "showUnverifiedCollections")).toHaveProperty("grouping", [
      { ...group, verified: true, collection_metadata: known },
    ]);
  });

  test("token figures are shown with showFungible only", async () => {
    await indexer.applyAccounts([mint(nft, 5, { supply: 2n ** 64n - 1n, decimals: 9 })], watermark);
    expect(await show()).not.toHaveProperty("token_info");
    expect(await show("showFungible")).toMatchObject({
      token_info: { supply: 18_446_744_073_709_551_615n, decimals: 9 },
    });
  });
});

describe("the positions of getNftEditions", () => {
  test("are numbers, mints and addresses of this master's own prints", async () => {
    await store.writeCoverage({ kind: "whole" });
    const [one, two, foreign] = [key(11), key(12), key(13)] as const;
    const masters = [nft, collection].map((of) => editionAddress(of, null)) as [Uint8Array, Uint8Array];
    await indexer.applyAccounts(
      [
        ...[nft, collection].flatMap((of) => [
          mint(of, 1),
          metadata(1, { mint: of }),
          masterEdition(of, 1, 2n, null),
        ]),
        ...[one, two, foreign].map((of) => metadata(1, { mint: of, standard: 3 })),
        print(one, 1, masters[0], 3n),
        print(two, 1, masters[0], 9n),
        print(foreign, 1, masters[1], 5n),
      ],
      watermark,
    );
    const numbers = async (...params: readonly unknown[]): Promise<unknown> => {
      const answer = (await ask("getNftEditions", params)) as {
        editions: { edition: number }[];
        total: number;
      };
      expect(answer.total).toBe(2);
      return answer.editions.map(({ edition }) => edition);
    };
    expect(await numbers(encodeAddress(two))).toEqual([3, 9]);
    for (const start of ["3", encodeAddress(one), encodeAddress(editionAddress(one, null))]) {
      const byName = { mint: encodeAddress(nft), after: start };
      const answer = (await ask("getNftEditions", byName)) as { editions: object[] };
      expect(answer.editions).toMatchObject([{ edition: 9 }]);
    }
    await expect(
      ask("getNftEditions", { mint: encodeAddress(nft), after: encodeAddress(foreign) }),
    ).rejects.toMatchObject({ code: "PARAM__INVALID" });
  });
});

describe("cursor", () => {
  interface Page {
    readonly total: number;
    readonly page?: number;
    readonly cursor?: string;
    readonly items?: readonly { readonly id: string }[];
    readonly editions?: readonly { readonly edition: number }[];
  }
  const rowsOf = ({ items, editions: prints }: Page): readonly (string | number)[] =>
    items?.map(({ id }) => id) ?? prints!.map(({ edition }) => edition);
  /** All rows from a start on, following `cursor` as long as there is one. */
  const walk = async (method: string, params: object, start: object): Promise<(string | number)[]> => {
    const rows: (string | number)[] = [];
    let next = start;
    for (;;) {
      const page = (await ask(method, { ...params, ...next })) as unknown as Page;
      rows.push(...rowsOf(page));
      expect(rowsOf(page).length).toBeGreaterThan(0);
      expect(page.page !== undefined).toBe(next === start && !("before" in start || "after" in start));
      if (page.cursor === undefined) return rows;
      next = { cursor: page.cursor };
    }
  };

  const master = editionAddress(nft, null);
  const prints = [11, 12, 13, 14, 15, 16].map(key);
  beforeEach(async () => {
    await store.writeCoverage({ kind: "whole" });
    await indexer.applyAccounts(
      [
        mint(nft, 1),
        metadata(1, { mint: nft }),
        masterEdition(nft, 1, 6n, null),
        // Slots that tie, so that the id must decide.
        ...prints.flatMap((one, index) => [
          mint(one, 2 + (index % 2)),
          metadata(1, { mint: one, standard: 3 }),
          print(one, 1, master, BigInt(index * 2)),
        ]),
      ],
      watermark,
    );
  });

  const orders = ["id", "created", "updated", "none"].flatMap((sortBy) =>
    ["asc", "desc"].map((sortDirection) => [{ sortBy: { sortBy, sortDirection } }] as const),
  );
  const searches = orders.map(
    ([order]) => ["searchAssets", order, (row: string | number) => String(row)] as const,
  );
  const edition = ["getNftEditions", { mint: encodeAddress(nft) }, String] as const;
  test.each([...searches, edition])(
    "%s %j: leads from any start through every row once",
    async (method, params, at) => {
      const whole = (await ask(method, params)) as unknown as Page;
      const rows = rowsOf(whole);
      expect(whole).not.toHaveProperty("cursor");
      expect(rows).toHaveLength(whole.total);
      for (const limit of [1, 2, 3, rows.length, rows.length + 1]) {
        const sized = { ...params, limit };
        expect(await walk(method, sized, {})).toEqual(rows);
        if (limit < rows.length) expect(await walk(method, sized, { page: 2 })).toEqual(rows.slice(limit));
        expect(await walk(method, sized, { after: at(rows[0]!) })).toEqual(rows.slice(1));
        expect(await walk(method, sized, { before: at(rows[3]!) })).toEqual(
          rows.slice(Math.max(0, 3 - limit)),
        );
        const beyond = (await ask(method, { ...sized, page: 9 })) as unknown as Page;
        expect(beyond).not.toHaveProperty("cursor");
      }
      const beyondLast = (await ask(method, { ...params, after: at(rows.at(-1)!) })) as unknown as Page;
      expect(rowsOf(beyondLast)).toEqual([]);
      expect(beyondLast).not.toHaveProperty("cursor");
    },
  );
});

const editions = (of: Uint8Array): Promise<unknown> => ask("getNftEditions", [encodeAddress(of)]);

describe("getNftEditions in a store of part of the chain", () => {
  const held = { kind: "filtered", programs: [], owners: [], mints: [], collections: [] } as const;
  const programs = [encodeAddress(programAddresses.tokenMetadata)];
  const [printMint, master] = [key(11), editionAddress(nft, null)];

  test("answers for a master that is held itself, and never with a total of what happens to be there", async () => {
    const one = [print(printMint, 1, master, 3n), metadata(1, { mint: printMint, standard: 3 })];
    await indexer.applyAccounts([...one, mint(printMint, 1), masterEdition(nft, 1, 9n, null)], watermark);
    await store.writeCoverage({ ...held, mints: [encodeAddress(printMint)] });
    for (const of of [printMint, nft])
      await expect(editions(of)).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    await indexer.applyAccounts([mint(nft, 1), metadata(1, { mint: nft })], watermark);
    expect(await editions(nft)).toMatchObject({ total: 1 });
    // Dumps may hold the master without its prints, unless the mint is covered.
    for (const mints of [[], [encodeAddress(printMint)]]) {
      await store.writeCoverage({ ...held, mints, dumps: true });
      expect(await editions(printMint)).toMatchObject({ total: 1 });
      expect(await editions(nft)).toMatchObject({ total: 1 });
    }
    await store.writeCoverage({ ...held, programs });
    expect(await editions(printMint)).toMatchObject({ total: 1 });
  });

  test("knows that a mint has no master edition only where all edition accounts are held", async () => {
    await indexer.applyAccounts([mint(nft, 1)], watermark);
    await store.writeCoverage({ ...held, mints: [encodeAddress(nft)] });
    await expect(editions(nft)).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    await store.writeCoverage({ ...held, programs });
    await expect(editions(nft)).rejects.toMatchObject({ code: "ASSET__NO_MASTER_EDITION" });
    await expect(editions(key(99))).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    await store.writeCoverage({ kind: "whole" });
    await expect(editions(key(99))).rejects.toMatchObject({ code: "ASSET__NOT_FOUND" });
  });
});

test("a burnt Core asset is found in a filtered store that never saw it alive", async () => {
  await store.writeCoverage({ kind: "filtered", programs: [], owners: [], mints: [], collections: [] });
  await indexer.applyAccounts([emptiedAt(coreAsset(nft, 5, key(50), collection), 5)], watermark);
  expect(await show()).toMatchObject({
    interface: "MplCoreAsset",
    id: encodeAddress(nft),
    content: { json_uri: "", metadata: { name: "", symbol: "" } },
    ownership: { owner: "", frozen: false, delegated: false },
    grouping: [],
    burnt: true,
  });
});
