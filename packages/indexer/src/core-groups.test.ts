// Core groups: who is a member, and how members and groups are found, over a real store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { callMethod, createMethodSettings, type JsonValue, parseExact, CallRequest } from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  assetData,
  collectionData,
  coreAccount,
  groupData,
  key,
  memberOfGroups,
} from "../test/encode-core.ts";
import { createIndexer, type Indexer } from "./indexer.ts";

const [group, other, collection] = [key(1), key(2), key(3)];
/** A member · one of both groups and a collection · one that the group lists and that does not name it · a stranger. */
const [member, both, listedOnly, stranger] = [key(11), key(12), key(13), key(14)];
const watermark = { slot: 100, blockhash: null };

let folder: string;
let store: ReturnType<typeof openSqliteStore>;
let indexer: Indexer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-groups-"));
  store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  indexer = createIndexer(store);
  await indexer.applyAccounts(
    [
      coreAccount(group, groupData([member, both, listedOnly])),
      coreAccount(other, groupData([both], [group])),
      coreAccount(collection, collectionData(1, [memberOfGroups([group])])),
      coreAccount(member, assetData(null, [memberOfGroups([group])])),
      coreAccount(both, assetData(collection, [memberOfGroups([group, other])])),
      coreAccount(listedOnly, assetData(null)),
      coreAccount(stranger, assetData(collection, [memberOfGroups([])])),
    ],
    watermark,
  );
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const ask = async (method: string, params: object): Promise<JsonValue> => {
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

const found = async (params: object): Promise<readonly string[]> => {
  const { items, total } = (await ask("searchAssets", { ...params, sortBy: { sortDirection: "asc" } })) as {
    readonly items: readonly { readonly id: string }[];
    readonly total: number;
  };
  expect(total).toBe(items.length);
  return items.map(({ id }) => id);
};
const groupingOf = async (id: Uint8Array): Promise<unknown> =>
  ((await ask("getAsset", { id: encodeAddress(id) })) as { grouping: unknown }).grouping;
const ids = (...keys: readonly Uint8Array[]): readonly string[] => keys.map(encodeAddress);
const entry = (name: string, value: Uint8Array) => ({
  group_key: name,
  group_value: encodeAddress(value),
});

test("an asset shows the groups that its own plugin names, behind its collection", async () => {
  expect(await groupingOf(member)).toEqual([entry("group", group)]);
  expect(await groupingOf(both)).toEqual([
    entry("collection", collection),
    entry("group", group),
    entry("group", other),
  ]);
  expect(await groupingOf(collection)).toEqual([entry("group", group)]);
  expect(await groupingOf(listedOnly)).toEqual([]);
  expect(await groupingOf(stranger)).toEqual([entry("collection", collection)]);
});

test("members are found by key and group; those of a member collection are none", async () => {
  expect(await found({ grouping: ["group", encodeAddress(group)] })).toEqual(ids(collection, member, both));
  expect(await found({ grouping: ["group", encodeAddress(other)] })).toEqual(ids(both));
  expect(await found({ grouping: ["collection", encodeAddress(group)] })).toEqual([]);
  await indexer.applyAccounts([coreAccount(both, assetData(collection), { slot: 6 })], watermark);
  expect(await found({ grouping: ["group", encodeAddress(other)] })).toEqual([]);
});

test("a group is an asset, burnt once it is closed", async () => {
  expect(await ask("getAsset", { id: encodeAddress(group) })).toMatchObject({
    interface: "MplCoreGroup",
    content: { json_uri: "uri", metadata: { name: "Group" } },
    authorities: [{ address: encodeAddress(key(9)) }],
    ownership: { owner: encodeAddress(key(9)), ownership_model: "single" },
    grouping: [],
    burnt: false,
  });
  expect(await found({ interface: "MplCoreGroup" })).toEqual(ids(group, other));
  await indexer.applyAccounts([coreAccount(group, Uint8Array.of(0), { slot: 9 })], watermark);
  expect(await ask("getAsset", { id: encodeAddress(group) })).toMatchObject({
    interface: "MplCoreGroup",
    burnt: true,
  });
  expect(await found({ interface: "MplCoreGroup", burnt: false })).toEqual(ids(other));
});

test("MplBubblegumV2 is a word that the filter knows and no asset has", async () => {
  expect(await found({ interface: "MplBubblegumV2" })).toEqual([]);
  expect(await found({ interface: "MplBubblegumV2", negate: true })).toHaveLength(7);
});

test("collection metadata is shown with collections only", async () => {
  const asset = await ask("getAsset", { id: encodeAddress(both), config: { showCollectionMetadata: true } });
  expect(asset).toMatchObject({
    grouping: [{ collection_metadata: { name: "Family" } }, entry("group", group), entry("group", other)],
  });
  expect((asset as { grouping: object[] }).grouping[1]).toEqual(entry("group", group));
});
