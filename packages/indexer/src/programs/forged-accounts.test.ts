// Tests of accounts that a stranger can write under the right program owner. They must not change the answer about an
// asset, its created slot or its updated slot, in any order of arrival.

import { editionAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account, Asset } from "@lamplight/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  account,
  at,
  inscription,
  key,
  masterEdition,
  metadata,
  mint,
  print,
  tokenAccount,
} from "../../test/encode-accounts.ts";
import { openTestStore, type TestStore } from "../../test/open-test-store.ts";
import { createIndexer } from "../indexer.ts";

const nft = key(1);
const stranger = key(99);
const genuine = [
  mint(nft, 10),
  metadata(10, { mint: nft, collection: { verified: true, address: key(70) } }),
  masterEdition(nft, 10, 2n, 10n),
  tokenAccount(key(10), 10, { mint: nft, owner: key(50) }),
  inscription(nft, 10),
];

let opened: TestStore;
beforeEach(() => {
  opened = openTestStore();
});
afterEach(() => opened.close());

const indexed = async (accounts: readonly Account[]): Promise<Asset | undefined> => {
  await opened.close();
  opened = openTestStore();
  const indexer = createIndexer(opened.store);
  for (const one of accounts) await indexer.applyAccounts([one], { slot: 1_000, blockhash: null });
  const page = await opened.store.readAssetPage(0, 100);
  const found = page.find(({ id }) => Buffer.compare(id, nft) === 0);
  // Ordinals count what was indexed before.
  return found === undefined ? undefined : Object.assign(found, { ordinal: 0 });
};

/** The same bytes somewhere else, under the same program. */
const elsewhere = (one: Account): Account => ({ ...one, address: stranger });

const forgeries: readonly (readonly [string, Account])[] = [
  ["the record of its inscription", elsewhere(inscription(nft, 10, "text/forged"))],
  ["its metadata", elsewhere(metadata(10, { mint: nft, name: "Forged" }))],
  [
    "its metadata at the edition's address",
    { ...metadata(10, { mint: nft, name: "Forged" }), address: editionAddress(key(2), null) },
  ],
  ["its master edition", elsewhere(masterEdition(nft, 10, 9n, null))],
  ["a print of it without metadata", elsewhere(print(key(2), 10, editionAddress(nft, null), 1n))],
  ["its mint", elsewhere(mint(nft, 10, { supply: 0n }))],
  ["an inscription of another root", elsewhere(inscription(key(3), 10))],
  [
    "a record of the program about somebody's delegate",
    account(stranger, programAddresses.tokenMetadata, [12, 255, ...nft, ...stranger, ...stranger], 10),
  ],
];

test.each(forgeries)("a forged account does not change the asset: %s", async (_name, forged) => {
  const expected = await indexed(genuine);
  expect(expected).toMatchObject({ createdSlot: 10, updatedSlot: 10, name: "Name" });
  expect(expected?.extras).toContain('"content":"image/png"');
  for (const slot of [1, 10, 20])
    for (const order of [
      [...genuine, at(forged, slot)],
      [at(forged, slot), ...genuine],
    ])
      expect(await indexed(order)).toEqual(expected);
  expect(await opened.listEditions(encodeAddress(editionAddress(nft, null)))).toEqual([]);
});

test("nothing forged makes an asset richer that lacks the genuine account", async () => {
  const bare = [mint(nft, 10)];
  const expected = await indexed(bare);
  const all = forgeries.map(([, forged], index) => ({ ...forged, address: key(100 + index) }));
  expect(await indexed([...bare, ...all.map((forged) => at(forged, 20))])).toEqual(expected);
});

test("a token account of the other token program does not own the asset", async () => {
  const forged = tokenAccount(stranger, 20, { mint: nft, owner: stranger });
  const asset = await indexed([...genuine, { ...forged, programOwner: programAddresses.token2022 }]);
  expect(asset?.assetOwner).toEqual(key(50));
});

test("an account of another program at the edition's address is no edition", async () => {
  const wrong = account(
    editionAddress(nft, null),
    programAddresses.mplCore,
    [...masterEdition(nft, 1, 9n, 9n).data],
    20,
  );
  const asset = await indexed([mint(nft, 10), metadata(10, { mint: nft }), wrong]);
  expect(asset?.document).toContain('"print_max_supply":0,"print_current_supply":0');
});
