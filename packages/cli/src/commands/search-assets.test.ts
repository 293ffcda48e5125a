// Every parameter of searchAssets alone, through the real server: by position as by name, and against the answer itself.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Coverage } from "@lamplight/core";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { type SearchLife, startSearchLife } from "@lamplight/search";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "@lamplight/server";
import { postCall } from "../../test/serving.ts";

interface Item {
  readonly id: string;
  readonly interface: string;
  readonly content: { readonly json_uri: string };
  readonly authorities: readonly { readonly address: string }[];
  readonly ownership: { readonly owner: string; readonly delegate: string | null; readonly frozen: boolean };
  readonly creators: readonly {
    readonly address: string;
    readonly share: number;
    readonly verified: boolean;
  }[];
  readonly grouping: readonly { readonly group_key: string; readonly group_value: string }[];
  readonly royalty: { readonly basis_points: number };
  readonly burnt: boolean;
}

interface Answer {
  readonly result?: { readonly total: number; readonly page?: number; readonly items: readonly Item[] };
  readonly error?: { readonly code: number; readonly message: string };
}

const folder = mkdtempSync(join(tmpdir(), "search-assets-"));
const file = join(folder, "demo.db");
let reader: SqliteReader;
let life: SearchLife;
let server: RunningServer;
let items: readonly Item[];

const makeStore = async (): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  for (const { accounts, slot, blockhash } of demoChain())
    await indexer.applyAccounts(accounts, { slot, blockhash });
  await store.close();
};

const search = async (params: unknown): Promise<Answer> => {
  const response = await postCall(`${server.url}/v3/test`, "searchAssets", params);
  return (await response.json()) as Answer;
};

beforeAll(async () => {
  await makeStore();
  reader = openSqliteReader({ file });
  life = await startSearchLife({ viewSource: reader, file: null });
  await life.filled;
  server = await startServer({ viewSource: life.viewSource, keys: ["test"], port: 0 });
  items = (await search({ limit: 1000 })).result!.items;
});

afterAll(async () => {
  await server.stop();
  await life.close();
  reader.close();
  rmSync(folder, { recursive: true });
});

/** Names of the parameters in the order of the specification. */
const positions =
  "negate conditionType interface ownerAddress ownerType creatorAddress creatorVerified authorityAddress grouping delegateAddress frozen supply supplyMint compressed compressible royaltyTargetType royaltyTarget royaltyAmount burnt sortBy limit page before after jsonUri".split(
    " ",
  );

/** One value per position that some assets meet and others do not, and how the documents show it; null = not in them. */
const samples = (): readonly (readonly [string, unknown, ((item: Item) => boolean) | null])[] => {
  const rich = items.find(
    ({ creators, grouping, authorities }) => creators[0] && grouping[0] && authorities[0],
  )!;
  const creator = rich.creators[0]!.address;
  const group = rich.grouping[0]!;
  const delegated = items.find(({ ownership }) => ownership.delegate !== null)!.ownership.delegate;
  return [
    ["negate", true, () => false],
    ["conditionType", "any", () => true],
    ["interface", "ProgrammableNFT", (item) => item.interface === "ProgrammableNFT"],
    ["ownerAddress", rich.ownership.owner, null],
    ["ownerType", "token", null],
    ["creatorAddress", creator, (item) => item.creators.some(({ address }) => address === creator)],
    ["creatorVerified", false, (item) => item.creators.some(({ verified }) => !verified)],
    [
      "authorityAddress",
      rich.authorities[0]!.address,
      (item) => item.authorities[0]?.address === rich.authorities[0]!.address,
    ],
    [
      "grouping",
      [group.group_key, group.group_value],
      (item) => item.grouping.some(({ group_value: value }) => value === group.group_value),
    ],
    ["delegateAddress", delegated, (item) => item.ownership.delegate === delegated],
    ["frozen", true, (item) => item.ownership.frozen],
    ["supply", 0, null],
    ["supplyMint", rich.id, (item) => item.id === rich.id],
    ["compressed", false, () => true],
    ["compressible", true, () => false],
    ["royaltyTargetType", "fanout", () => false],
    [
      "royaltyTarget",
      creator,
      (item) => item.creators.some(({ address, share }) => address === creator && share > 0),
    ],
    [
      "royaltyAmount",
      rich.royalty.basis_points,
      (item) => item.royalty.basis_points === rich.royalty.basis_points,
    ],
    ["burnt", true, (item) => item.burnt],
    ["sortBy", { sortBy: "created", sortDirection: "asc" }, () => true],
    ["limit", 7, null],
    ["page", 2, null],
    ["before", items[9]!.id, null],
    ["after", items[9]!.id, null],
    ["jsonUri", rich.content.json_uri, (item) => item.content.json_uri === rich.content.json_uri],
  ];
};

describe("searchAssets through the server", () => {
  test("each of the 25 positions means what its name means, and matches what the documents show", async () => {
    expect(samples().map(([name]) => name)).toEqual(positions);
    for (const [index, [name, value, shows]] of samples().entries()) {
      const byName = await search({ [name]: value });
      const byPosition = await search([...Array.from({ length: index }, () => null), value]);
      expect(byName.result, name).toBeDefined();
      expect(byPosition, name).toEqual(byName);
      if (shows !== null) expect(byName.result!.total, name).toBe(items.filter(shows).length);
      if (["limit", "page", "before", "after"].includes(name))
        expect(byName.result!.total).toBe(items.length);
    }
  });

  test("negating any one criterion finds all the others", async () => {
    for (const [name, value] of samples()) {
      if (["negate", "conditionType", "sortBy", "limit", "page", "before", "after"].includes(name)) continue;
      const met = (await search({ [name]: value })).result!.total;
      expect((await search({ [name]: value, negate: true })).result!.total, name).toBe(items.length - met);
    }
  });

  test("pages before and after an asset are each other's inverse in every order, under one total", async () => {
    for (const sortBy of ["created", "updated", "recent_action", "id", "none"])
      for (const sortDirection of ["asc", "desc"]) {
        const order = { sortBy: { sortBy, sortDirection } };
        const all = (await search({ ...order, limit: 1000 })).result!.items.map(({ id }) => id);
        for (let at = 20; at < all.length; at += 40) {
          const after = (await search({ ...order, limit: 20, after: all[at - 1] })).result!;
          const before = (await search({ ...order, limit: 20, before: after.items[0]!.id })).result!;
          expect(after.items.map(({ id }) => id)).toEqual(all.slice(at, at + 20));
          expect(before.items.map(({ id }) => id)).toEqual(all.slice(at - 20, at));
          expect([after.total, before.total]).toEqual([all.length, all.length]);
        }
        expect((await search({ ...order, before: all[0] })).result).toMatchObject({
          total: all.length,
          items: [],
        });
        expect((await search({ ...order, after: all.at(-1) })).result).toMatchObject({
          total: all.length,
          items: [],
        });
      }
  });

  test("a balance that was never loaded is refused, not reported as 0", async () => {
    const stranger = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi";
    const asked = { ownerAddress: stranger, options: { showNativeBalance: true } };
    expect((await search(asked)).result).toMatchObject({ total: 0, nativeBalance: { lamports: 0 } });
    const coverage: Coverage = {
      kind: "filtered",
      programs: [],
      owners: [stranger],
      mints: [],
      collections: [],
    };
    const store = openSqliteStore({ file, mode: "write" });
    await store.writeCoverage(coverage);
    expect((await search({ ownerAddress: stranger })).result).toMatchObject({ total: 0 });
    expect((await search(asked)).error).toMatchObject({ code: -32068 });
    await store.writeCoverage({ kind: "whole" });
    await store.close();
  });
});
