import { editionAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import { type Account, type ChangeSet, emptyChangeSet, parseExact, type Transaction } from "@lamplight/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  at,
  coreAsset,
  coreCollection,
  key,
  metadata,
  mint,
  print,
  tokenAccount,
} from "../test/encode-accounts.ts";
import { openTestStore, type TestStore } from "../test/open-test-store.ts";
import { ACCOUNTS_PER_COMMIT_MAX, FAN_OUT_PER_COMMIT_MAX, LINKS_PER_PAGE } from "./engine/limits.ts";
import { createIndexer } from "./indexer.ts";
import { BubblegumTree } from "@lamplight/devchain";
import { verifyAssets } from "./verify/verify-assets.ts";

const collection = key(1);
const watermark = (slot: number) => ({ slot, blockhash: null });

let opened: TestStore;
beforeEach(() => {
  opened = openTestStore();
});
afterEach(() => opened.close());

/** Addresses that differ in their first bytes. */
const numbered = (index: number): Uint8Array => {
  const address = key(9);
  new DataView(address.buffer).setUint32(0, index);
  return address;
};
const members = (count: number): Account[] =>
  Array.from({ length: count }, (_, index) => coreAsset(numbered(index), 5, key(3), collection));

describe("a failed transaction", () => {
  test("changes no leaf and no tree, regardless of what it says", async () => {
    const tree = new BubblegumTree(1);
    const [minted, moved] = [tree.mintV1(key(3)), tree.transfer(0, key(4))];
    const indexer = createIndexer(opened.store);
    const document = async (): Promise<unknown> => {
      const asset = await opened.findAsset(encodeAddress(tree.idOf(0)));
      return asset === null ? null : parseExact(asset.document);
    };
    await indexer.applyTransactions([{ ...minted, failed: true }], watermark(2000));
    expect(await document()).toBeNull();
    await indexer.applyTransactions([minted, { ...moved, failed: true }], watermark(2001));
    expect(await document()).toMatchObject({
      ownership: { owner: encodeAddress(key(3)) },
      compression: { seq: 1 },
    });
  });
});

describe("a collection's change", () => {
  test("is one record: members that take from it are not written", async () => {
    const count = LINKS_PER_PAGE * 2 + 5;
    const commits: ChangeSet[] = [];
    const indexer = createIndexer(opened.store, { onCommit: (changes) => commits.push(changes) });
    await indexer.applyAccounts([...members(count), coreCollection(collection, 5, key(20))], watermark(5));
    commits.length = 0;
    await indexer.applyAccounts([coreCollection(collection, 6, key(21))], watermark(6));
    expect(commits).toHaveLength(1);
    expect(commits[0]?.assets).toHaveLength(1);
  });

  test("that members do not inherit leaves them alone", async () => {
    const indexer = createIndexer(opened.store);
    await indexer.applyAccounts([...members(10), coreCollection(collection, 5, key(20))], watermark(5));
    const summary = await indexer.applyAccounts([coreCollection(collection, 6, key(20), 77)], watermark(6));
    expect(summary).toEqual({ commits: 1, accountsChanged: 1, assetsChanged: 1 });
  });

  test("that makes it known reaches a larger crowd in more commits, the watermark in the last", async () => {
    const count = FAN_OUT_PER_COMMIT_MAX + LINKS_PER_PAGE;
    const commits: ChangeSet[] = [];
    const indexer = createIndexer(opened.store, { onCommit: (changes) => commits.push(changes) });
    await indexer.applyAccounts(members(count), watermark(5));
    expect(commits.slice(0, -1).every((changes) => changes.accounts.length <= ACCOUNTS_PER_COMMIT_MAX)).toBe(
      true,
    );
    commits.length = 0;
    await indexer.applyAccounts([coreCollection(collection, 6, key(21))], watermark(6));
    const written = commits.flatMap((changes) => changes.assets);
    expect(new Set(written.map(({ id }) => encodeAddress(id))).size).toBe(count + 1);
    expect(commits.length).toBeGreaterThan(1);
    expect(commits.every((changes) => changes.assets.length <= FAN_OUT_PER_COMMIT_MAX + LINKS_PER_PAGE)).toBe(
      true,
    );
    expect(commits.map((changes) => [changes.accounts.length, changes.watermark !== null])).toEqual([
      ...commits.slice(1).map(() => [0, false]),
      [1, true],
    ]);
  });
});

describe("repetition", () => {
  test("of the same updates changes nothing but the watermark", async () => {
    const updates = [
      mint(key(1), 5),
      metadata(5, { mint: key(1) }),
      tokenAccount(key(2), 5, { mint: key(1), owner: key(3) }),
    ];
    const indexer = createIndexer(opened.store);
    expect(await indexer.applyAccounts(updates, watermark(5))).toEqual({
      commits: 1,
      accountsChanged: 3,
      assetsChanged: 1,
    });
    expect(await indexer.applyAccounts(updates, watermark(6))).toEqual({
      commits: 1,
      accountsChanged: 0,
      assetsChanged: 0,
    });
    expect(await indexer.applyAccounts(updates, null)).toEqual({
      commits: 0,
      accountsChanged: 0,
      assetsChanged: 0,
    });
    expect(await opened.store.readWatermark()).toEqual(watermark(6));
  });
});

describe("more updates than a commit holds", () => {
  test("take several commits, the watermark in the last, assets across their borders whole", async () => {
    const mints = Array.from({ length: ACCOUNTS_PER_COMMIT_MAX }, (_, index) => mint(numbered(index), 5));
    const first = mints[0]?.address ?? key(0);
    const commits: ChangeSet[] = [];
    const indexer = createIndexer(opened.store, { onCommit: (changes) => commits.push(changes) });
    await indexer.applyAccounts(
      [...mints, tokenAccount(key(2), 5, { mint: first, owner: key(3) })],
      watermark(5),
    );
    expect(commits.map((changes) => changes.watermark?.slot ?? null)).toEqual([null, 5]);
    const asset = await opened.findAsset(encodeAddress(first));
    expect(parseExact(asset?.document ?? "")).toMatchObject({ ownership: { owner: encodeAddress(key(3)) } });
  });
});

const document = async () =>
  parseExact((await opened.findAsset(encodeAddress(key(1))))?.document ?? "") as {
    ownership: { owner: string };
  };

describe("an account closed by an instruction", () => {
  const holder = tokenAccount(key(2), 5, { mint: key(1), owner: key(3) });
  const closing = (slot: number, failed = false): Transaction => ({
    signature: "closing",
    slot,
    index: null,
    failed,
    groups: [
      {
        outer: { programAddress: key(99), accounts: [], data: new Uint8Array(0), stackHeight: 1 },
        inner: [
          {
            programAddress: programAddresses.token,
            accounts: [holder.address, key(3), key(3)],
            data: Uint8Array.of(9),
            stackHeight: 2,
          },
        ],
      },
    ],
  });
  const alive = { ownership: { owner: encodeAddress(key(3)) } };
  const gone = { ownership: { owner: "" } };

  test("is gone, whichever arrives first, unless a later version is known", async () => {
    const indexer = createIndexer(opened.store);
    await indexer.applyTransactions([closing(6)], watermark(6));
    await indexer.applyAccounts([mint(key(1), 5), holder], watermark(6));
    expect(await document()).toMatchObject(gone);
    await indexer.applyAccounts([at(holder, 7)], watermark(7));
    expect(await document()).toMatchObject(alive);
    await indexer.applyTransactions([closing(6), closing(9, true)], watermark(9));
    expect(await document()).toMatchObject(alive);
  });

  test("gives way to a version observed in the same slot", async () => {
    const indexer = createIndexer(opened.store);
    await indexer.applyAccounts([mint(key(1), 5), holder], watermark(5));
    await indexer.applyTransactions([closing(5)], watermark(5));
    expect(await document()).toMatchObject(alive);
  });

  test("stays where account updates are trusted alone", async () => {
    const indexer = createIndexer(opened.store, { closeFromTransactions: false });
    await indexer.applyAccounts([mint(key(1), 5), holder], watermark(5));
    await indexer.applyTransactions([closing(6)], watermark(6));
    expect(await document()).toMatchObject(alive);
  });
});

describe("verifyAssets", () => {
  test("names the assets and members that are not what the accounts say", async () => {
    const indexer = createIndexer(opened.store);
    await indexer.applyAccounts([mint(key(1), 5), mint(key(2), 5), mint(key(3), 5)], watermark(5));
    const progress: number[] = [];
    expect(await verifyAssets(opened.store, (assets) => progress.push(assets))).toEqual({
      assets: 3,
      differing: 0,
      differences: [],
    });
    expect(progress).toEqual([3]);
    const [first, second] = await opened.store.readAssetPage(0, 2);
    if (first === undefined || second === undefined) throw new Error("assets are missing");
    await opened.store.commit({
      ...emptyChangeSet,
      assets: [
        { ...first, document: '{"id":"other"}' },
        { ...second, supply: 2n },
        { ...first, id: key(8) },
      ],
    });
    expect((await verifyAssets(opened.store)).differences).toEqual([
      { id: encodeAddress(first.id), differing: ["document"] },
      { id: encodeAddress(second.id), differing: ["supply"] },
      { id: encodeAddress(key(8)), differing: ["asset"] },
    ]);
  });
});

describe("verifyRows", () => {
  const tree = new BubblegumTree(1);

  test("finds nothing where links and assets are what accounts and leaves need", async () => {
    const indexer = createIndexer(opened.store);
    expect(await opened.verifyRows()).toEqual([]);
    await indexer.applyAccounts(
      [mint(key(1), 5), metadata(5, { mint: key(1) }), ...members(3)],
      watermark(5),
    );
    await indexer.applyTransactions([tree.mintV1(key(3))], watermark(2000));
    // A leaf that became a token, and one that is a leaf still although there is a mint.
    await indexer.applyAccounts([mint(tree.idOf(0), 2001)], watermark(2001));
    expect(await opened.verifyRows()).toEqual([]);
    await indexer.applyAccounts([metadata(2002, { mint: tree.idOf(0) })], watermark(2002));
    expect(await opened.verifyRows()).toEqual([]);
    expect((await opened.store.readAssetPage(0, 10)).map(({ compressed }) => compressed)).not.toContain(true);
  });

  test("reports of assets and links that are missing, too many or others, which verifyAssets cannot", async () => {
    const indexer = createIndexer(opened.store);
    await indexer.applyAccounts([...members(3), mint(key(1), 5)], watermark(5));
    const [link] = await opened.store.readLinkPage(collection, "member", null, 1);
    if (link === undefined) throw new Error("the link is missing");
    const commit = (changes: Partial<ChangeSet>) => opened.store.commit({ ...emptyChangeSet, ...changes });
    await commit({ linksRemoved: [link] });
    expect(await opened.verifyRows()).toEqual(["links has 2 rows; accounts and leaves need 3"]);
    await commit({ linksAdded: [{ ...link, role: "holder" }] });
    expect(await opened.verifyRows()).toEqual([
      "links has 3 rows; accounts and leaves need 3, but not the same",
    ]);
    await commit({
      linksRemoved: [{ ...link, role: "holder" }],
      linksAdded: [link],
      assetsRemoved: [key(1)],
    });
    expect(await verifyAssets(opened.store)).toMatchObject({ differing: 0 });
    expect(await opened.verifyRows()).toEqual(["assets has 3 rows; accounts and leaves need 4"]);
    const lost = editionAddress(key(2), null);
    const made = print(key(2), 5, editionAddress(key(1), null), 7n);
    await indexer.applyAccounts(
      [mint(key(1), 6), mint(key(2), 5), metadata(5, { mint: key(2) }), made],
      watermark(6),
    );
    expect(await opened.verifyRows()).toEqual([]);
    await commit({ editionsRemoved: [lost] });
    expect(await opened.verifyRows()).toEqual(["editions has 0 rows; accounts and leaves need 1"]);
  });
});
