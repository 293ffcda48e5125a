import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Asset,
  emptyChangeSet,
  type IndexStore,
  type OffchainRow,
  type OffchainStore,
} from "@lamplight/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.ts";

let folder: string;
let store: IndexStore;
let offchain: OffchainStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-offchain-"));
  open();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const open = (): void => {
  store = openSqliteStore({ file: join(folder, "index.db"), mode: "write" });
  if (store.offchain === undefined) throw new Error("the store keeps no off-chain documents");
  offchain = store.offchain;
};

const row = (uri: string, more: Partial<OffchainRow> = {}): OffchainRow => ({
  uri,
  status: "pending",
  json: null,
  sha256: null,
  etag: null,
  lastModified: null,
  immutable: false,
  firstSeenMs: 1,
  fetchedMs: null,
  dueMs: 1,
  attempts: 0,
  lastError: null,
  shown: true,
  ...more,
});

const asset = (byte: number, jsonUri: string): Asset => ({
  id: new Uint8Array(32).fill(byte),
  interface: "MplCoreAsset",
  ownerModel: "single",
  assetOwner: null,
  delegate: null,
  authority: null,
  supply: 1n,
  supplyMint: null,
  royaltyModel: "creators",
  basisPoints: 0,
  creators: [],
  groups: [],
  compressed: false,
  compressible: false,
  frozen: false,
  burnt: false,
  mutable: true,
  name: "",
  jsonUri,
  tree: null,
  leafIndex: null,
  createdSlot: 1,
  updatedSlot: 1,
  document: "{}",
  extras: null,
});

describe("OffchainStore", () => {
  test("keeps every column over a restart, and replaces by URI", async () => {
    const full = row("https://a/1.json", {
      status: "ok",
      json: '{"big":18446744073709551615}',
      sha256: new Uint8Array(32).fill(7),
      etag: '"v"',
      lastModified: "today",
      immutable: true,
      firstSeenMs: 1_700_000_000_000,
      fetchedMs: 1_700_000_000_001,
      dueMs: 1_700_000_000_002,
      attempts: 3,
      lastError: "why",
      shown: false,
    });
    await offchain.writeRows([row("https://a/1.json"), row("https://a/2.json")]);
    await offchain.writeRows([full]);
    await store.close();
    open();
    expect(await offchain.readRows(["https://a/2.json", "https://a/none", "https://a/1.json"])).toEqual([
      row("https://a/2.json"),
      null,
      full,
    ]);
    expect(await offchain.readDocuments(["https://a/1.json", "https://a/2.json", "x"])).toEqual([
      full.json,
      null,
      null,
    ]);
    expect(await offchain.listUnshown(10)).toEqual([full]);
    expect(await offchain.countByStatus()).toMatchObject({ pending: 1, ok: 1, gone: 0 });
  });

  test("lists what is due: the newest new ones first, then retries by their time", async () => {
    await offchain.writeRows([
      row("retry-late", { fetchedMs: 1, dueMs: 9 }),
      row("retry-early", { fetchedMs: 1, dueMs: 5 }),
      row("not-yet", { fetchedMs: 1, dueMs: 11 }),
      row("done", { fetchedMs: 1, dueMs: null }),
      row("new-old", { firstSeenMs: 2 }),
      row("new-young", { firstSeenMs: 3 }),
    ]);
    const due = (limit: number) =>
      Promise.resolve(offchain.listDue(10, limit)).then((rows) => rows.map(({ uri }) => uri));
    expect(await due(10)).toEqual(["new-young", "new-old", "retry-early", "retry-late"]);
    expect(await due(3)).toEqual(["new-young", "new-old", "retry-early"]);
    expect(await due(1)).toEqual(["new-young"]);
    expect(await offchain.findNextDue()).toBe(1);
  });

  test("finds the assets that carry a URI, page by page", async () => {
    await store.commit({
      ...emptyChangeSet,
      assets: [asset(3, "u"), asset(1, "u"), asset(2, "other"), asset(9, "u")],
    });
    const first = await offchain.listAssetsByUri("u", null, 2);
    expect(first.map((id) => id[0])).toEqual([1, 3]);
    expect((await offchain.listAssetsByUri("u", first[1] ?? null, 2)).map((id) => id[0])).toEqual([9]);
    expect(await offchain.listAssetsByUri("none", null, 2)).toEqual([]);
  });

  test("remembers how far the assets' changes were noted", async () => {
    expect(await offchain.readNotedSeq()).toBe(0);
    await offchain.writeNotedSeq(2 ** 40);
    expect(await offchain.readNotedSeq()).toBe(2 ** 40);
  });

  test("an empty store has nothing due", async () => {
    expect(await offchain.findNextDue()).toBeNull();
    expect(await offchain.listDue(Number.MAX_SAFE_INTEGER, 5)).toEqual([]);
  });
});
