// One asset derived again with what each account makes, over a real store and over slots above it.

import { encodeAddress, metadataAddress } from "@lamplight/codecs";
import type { Account, ReadView } from "@lamplight/core";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  closedAt,
  coreAsset,
  coreCollection,
  key,
  masterEdition,
  metadata,
  mint,
  tokenAccount,
} from "../../test/encode-accounts.ts";
import { openTestStore, type TestStore } from "../../test/open-test-store.ts";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { differingMembers } from "../record/differing-members.ts";
import { type AssetExplanation, explainAsset } from "./explain-asset.ts";
import { finalizedViewOf, readAssetAtView, statesAtView } from "./states-at-view.ts";

const nft = key(1);
const holder = key(7);
const FINALIZED = 10;

let opened: TestStore;
beforeEach(async () => {
  opened = openTestStore();
  await createIndexer(opened.store).applyAccounts(
    [
      mint(nft, 5),
      metadata(6, { mint: nft, name: "First" }),
      masterEdition(nft, 6, 2n, null),
      tokenAccount(holder, 7, { mint: nft, owner: key(8) }),
    ],
    { slot: FINALIZED, blockhash: null },
  );
});
afterEach(() => opened.close());

const explainAt = async (view: ReadView, id = nft): Promise<AssetExplanation> => {
  const explained = await explainAsset(id, statesAtView(view));
  const stored = await readAssetAtView(view, id);
  expect(stored === null ? null : differingMembers(stored, explained.asset)).toEqual(
    explained.asset === null ? null : [],
  );
  return explained;
};

const atFinalized = async <Result>(body: (view: ReadView) => Promise<Result>): Promise<Result> => {
  const reader = openSqliteReader({ file: opened.file });
  const view = await reader.openView("finalized");
  try {
    return await body(view);
  } finally {
    view.close();
    reader.close();
  }
};

test("names each account with its rule, and derives the asset without it", async () => {
  const { asset, assetKind, sources, unlisted, unlinked } = await atFinalized((view) => explainAt(view));
  expect([asset?.name, assetKind, unlisted, unlinked]).toEqual(["First", "token", 0, ["inscription"]]);
  const accounts = sources.map((source) =>
    source.kind === "account"
      ? [source.role, source.rule, source.stands, source.without?.name, source.without?.interface]
      : [],
  );
  expect(accounts).toEqual([
    ["self", "token", "current", undefined, undefined],
    ["metadata", "token-metadata", "current", "", "Custom"],
    ["holder", "token", "current", "First", "V1_NFT"],
    ["part", "token-metadata", "current", "First", "V1_NFT"],
  ]);
  const own = sources[2]!;
  expect(own.kind === "account" && encodeAddress(own.address)).toBe(encodeAddress(holder));
  expect([asset?.assetOwner, own.without?.assetOwner]).toEqual([key(8), null]);
});

test("says of an address without an account that it is not known, and what is not linked", async () => {
  const { asset, assetKind, sources, unlinked } = await atFinalized((view) => explainAt(view, key(99)));
  expect([asset, assetKind, unlinked]).toEqual([null, null, ["metadata", "inscription"]]);
  expect(sources).toMatchObject([{ role: "self", state: null, stands: "none", rule: null, without: null }]);
});

test("derives from the slots above the finalized one what a view of them answers", async () => {
  const reader = openSqliteReader({ file: opened.file });
  const overlay = await ForkOverlay.open({ store: opened.store, viewSource: reader });
  const renamed: Account = metadata(11, { mint: nft, name: "Second" });
  await overlay.add({ slot: 11, parent: FINALIZED, blockhash: null, accounts: [renamed], transactions: [] });
  overlay.confirm(11);
  const view = await overlay.openView("confirmed");
  try {
    const { asset, sources } = await explainAt(view);
    expect([view.slot, finalizedViewOf(view).slot, asset?.name]).toEqual([11, FINALIZED, "Second"]);
    const account = sources.find(
      (source) =>
        source.kind === "account" && encodeAddress(source.address) === encodeAddress(metadataAddress(nft)),
    );
    expect(account).toMatchObject({ state: { current: { slot: 11 } } });
  } finally {
    view.close();
    reader.close();
  }
  expect((await atFinalized((below) => explainAt(below))).asset?.name).toBe("First");
});

const rolesOf = async (id: Uint8Array) => {
  const { sources } = await atFinalized((view) => explainAt(view, id));
  return sources.map((source) => source.kind === "account" && source.role);
};

test("takes from a key that was used again what it says now", async () => {
  const [former, family] = [coreAsset(key(30), 11, key(8), key(31)), coreCollection(key(31), 11, key(3))];
  const indexer = createIndexer(opened.store);
  await indexer.applyAccounts([former, family], { slot: 11, blockhash: null });
  await indexer.applyAccounts([closedAt(former, 12)], { slot: 12, blockhash: null });
  const again = tokenAccount(former.address, 13, { mint: nft, owner: key(8) });
  await indexer.applyAccounts([again], { slot: 13, blockhash: null });
  expect(await rolesOf(nft)).toEqual(["self", "metadata", "holder", "holder", "part"]);
  expect(await rolesOf(former.address)).toEqual(["self", "other"]);
});
