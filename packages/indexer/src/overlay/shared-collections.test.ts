// A collection that changes in every slot, on forks too: what a search finds is what the documents of the same view show.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  type AssetQuery,
  commitments,
  type Criterion,
  joinStored,
  type ViewSource,
  type ReadView,
  reads,
} from "@lamplight/core";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, describe, expect, test } from "vitest";
import { assetData, collectionData, coreAccount, key, type Plugin, u32 } from "../../test/encode-core.ts";
import { createIndexer } from "../indexer.ts";
import { startSearchLife } from "@lamplight/search";
import { ForkOverlay } from "./fork-overlay.ts";

const FINALIZED = 10;
const LAST_SLOT = 30;
const [first, second] = [key(100), key(101)] as const;
const MEMBERS = 60;

const memberAddress = (index: number): AddressBytes => {
  const address = Uint8Array.from(key(50));
  address[0] = index;
  return address;
};

const royalties = (basisPoints: number, creator: AddressBytes): Plugin => ({
  type: 0,
  payload: Buffer.concat([Buffer.from([basisPoints, 0]), u32(1), creator, Uint8Array.of(100, 0)]),
});
const frozenBy = (frozen: boolean): Plugin => ({ type: 5, payload: [Number(frozen)] });

/** Plugins of a member: some have what others inherit. */
const pluginsOf = (index: number): readonly Plugin[] =>
  [[], [royalties(7, key(33))], [frozenBy(false)], [{ type: 3, authority: 2 }], [{ type: 1, payload: [1] }]][
    index % 5
  ]!;

const memberAt = (index: number, slot: number, collection: AddressBytes): Account =>
  coreAccount(memberAddress(index), assetData(collection, pluginsOf(index)), { slot });

/** Each update changes who may change it, what is due to whom, and whether it is frozen. */
const collectionAt = (address: AddressBytes, slot: number): Account =>
  coreAccount(
    address,
    collectionData(
      1,
      slot % 5 === 0
        ? [frozenBy(slot % 2 === 0)]
        : [royalties(100 + (slot % 2), key(30 + (slot % 3))), frozenBy(slot % 2 === 0)],
      key(20 + (slot % 3)),
    ),
    { slot },
  );

interface Shown {
  readonly authorities: readonly { readonly address: string }[];
  readonly ownership: { readonly frozen: boolean; readonly delegate: string | null };
  readonly royalty: { readonly basis_points: number };
  readonly creators: readonly {
    readonly address: string;
    readonly share: number;
    readonly verified: boolean;
  }[];
}

type Case = readonly [criterion: Criterion, isMet: (asset: Shown) => boolean];

const cases: readonly Case[] = [
  ...[9, 20, 21, 22].flatMap((byte): Case[] => [
    [
      { kind: "authority", value: key(byte) },
      ({ authorities }) => authorities[0]?.address === encodeAddress(key(byte)),
    ],
    [
      { kind: "delegate", value: key(byte) },
      ({ ownership }) => ownership.delegate === encodeAddress(key(byte)),
    ],
  ]),
  ...[30, 31, 32, 33].flatMap((byte): Case[] => [
    [
      { kind: "creator", creator: key(byte), verified: true },
      ({ creators }) => creators.some(({ address }) => address === encodeAddress(key(byte))),
    ],
    [
      { kind: "royaltyTarget", target: key(byte) },
      ({ creators }) => creators.some(({ address }) => address === encodeAddress(key(byte))),
    ],
  ]),
  ...[0, 7, 100, 101].map((points): Case => [
    { kind: "basisPoints", value: points },
    ({ royalty }) => royalty.basis_points === points,
  ]),
  ...[true, false].map((value): Case => [
    { kind: "frozen", value },
    ({ ownership }) => ownership.frozen === value,
  ]),
  [{ kind: "creatorVerified", verified: true }, ({ creators }) => creators.length > 0],
];

const queryOf = (criteria: readonly Criterion[], negate: boolean): AssetQuery => ({
  criteria,
  match: "all",
  negate,
  sort: "id",
  direction: "asc",
  start: { kind: "page", page: 1 },
  limit: 1000,
});

/** Compares every search with a filter over the documents of the view. */
const expectAgreement = async (view: ReadView): Promise<void> => {
  const { ordinals } = await view.read(reads.search(queryOf([], false)));
  const stored = await view.read(reads.ownAssets(ordinals));
  const shown = new Map<number, Shown>();
  for (const [index, asset] of stored.entries()) {
    const { document } = await joinStored(view, asset!);
    shown.set(ordinals[index]!, JSON.parse(document) as Shown);
  }
  for (const [criterion, isMet] of cases)
    for (const negate of [false, true]) {
      const page = await view.read(reads.search(queryOf([criterion], negate)));
      const expected = ordinals.filter((ordinal) => isMet(shown.get(ordinal)!) !== negate);
      expect([view.slot, criterion.kind, page.ordinals]).toEqual([view.slot, criterion.kind, expected]);
      expect(page.total).toBe(expected.length);
    }
};

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

const viewSources = {
  "the store's own search": async (viewSource: ViewSource): Promise<ViewSource> => viewSource,
  "the index in memory": async (viewSource: ViewSource): Promise<ViewSource> => {
    const life = await startSearchLife({ viewSource, file: null });
    await life.filled;
    closings.push(() => life.close());
    return life.viewSource;
  },
};

describe.each(Object.entries(viewSources))("a collection updated in every slot, over %s", (_name, over) => {
  test("is one changed asset each time, and its members are found by what it says", async () => {
    const folder = mkdtempSync(join(tmpdir(), "shared-collections-"));
    closings.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "index.db");
    const store = openSqliteStore({ file, mode: "write" });
    closings.push(() => store.close());
    await createIndexer(store).applyAccounts(
      [
        collectionAt(first, FINALIZED),
        collectionAt(second, FINALIZED),
        ...Array.from({ length: MEMBERS }, (_, index) =>
          memberAt(index, FINALIZED, index % 3 === 0 ? second : first),
        ),
        coreAccount(key(99), assetData(null), { slot: FINALIZED }),
      ],
      { slot: FINALIZED, blockhash: null },
    );
    const reader = openSqliteReader({ file });
    closings.push(() => reader.close());
    const changed: number[] = [];
    const overlay = await ForkOverlay.open({
      store,
      viewSource: await over(reader),
      onCommit: ({ assets }) => changed.push(assets.length),
    });
    for (let slot = FINALIZED + 1; slot <= LAST_SLOT; slot += 1) {
      const isDead = slot % 6 === 0;
      const parent = (slot - 1) % 6 === 0 ? slot - 2 : slot - 1;
      const accounts = [collectionAt(first, slot)];
      if (slot % 4 === 0) accounts.push(memberAt(slot % MEMBERS, slot, slot % 8 === 0 ? first : second));
      if (slot % 7 === 0) accounts.push(memberAt(MEMBERS + slot, slot, first), collectionAt(second, slot));
      await overlay.add({ slot, parent, blockhash: null, accounts, transactions: [] });
      if (isDead) continue;
      overlay.confirm(slot - 2 > FINALIZED && (slot - 2) % 6 !== 0 ? slot - 2 : FINALIZED);
      if (slot - 5 > FINALIZED && (slot - 5) % 6 !== 0) await overlay.finalize(slot - 5);
      for (const commitment of commitments) {
        const view = await overlay.openView(commitment);
        await expectAgreement(view);
        view.close();
      }
    }
    // A commit contains only the members that were written themselves.
    expect(Math.max(...changed)).toBeLessThanOrEqual(4);
  });
});
