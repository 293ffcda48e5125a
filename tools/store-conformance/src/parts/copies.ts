import {
  type IndexStore,
  type StoreExport,
  type StoreHead,
  type StoreImport,
  type StoreRows,
  storeTables,
  reads,
} from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOf, tokenAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressBeside, addressOf } from "../chain/addresses.ts";
import { assetOf } from "../chain/assets.ts";
import { changes, slotOf, type StoreUnderTest, withView } from "../store-under-test.ts";
import { ASSETS, fill, life, MANY } from "./copy-story.ts";

/** A store brings these so that it can be copied, from itself into itself here. */
export interface CopySetup {
  /** A new empty place, as text. */
  createLocation(): Promise<string>;
  openStore(location: string): Promise<IndexStore>;
  open(location: string): Promise<StoreUnderTest>;
  openExport(location: string): Promise<StoreExport>;
  openImport(location: string, holdings: boolean): Promise<StoreImport>;
}

type Content = { readonly head: StoreHead } & {
  readonly [Table in keyof StoreRows]: readonly StoreRows[Table][];
};

/** Everything an export reports, in its order but for the documents, whose keys are a store's own. */
const contentOf = async (setup: CopySetup, location: string): Promise<Content> => {
  const source = await setup.openExport(location);
  try {
    const content: Record<string, unknown> = { head: source.head };
    for (const table of storeTables) {
      const rows: unknown[] = [];
      for await (const page of source.pages(table)) rows.push(...page);
      content[table] = rows;
    }
    const { documents } = content as unknown as Content;
    const byUri = documents.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
    return { ...(content as unknown as Content), documents: byUri };
  } finally {
    await source.close();
  }
};

const copyAll = async (setup: CopySetup, from: string, to: string): Promise<void> => {
  const source = await setup.openExport(from);
  const target = await setup.openImport(to, source.head.holdings);
  try {
    for (const table of storeTables) {
      for await (const page of source.pages(table)) await target.write(table, page);
    }
    await target.finish(source.head, () => {});
  } finally {
    await target.close();
    await source.close();
  }
};

const createFilled = async (setup: CopySetup): Promise<string> => {
  const location = await setup.createLocation();
  const store = await setup.openStore(location);
  await fill(store);
  await store.close();
  return location;
};

const readsOf = (under: StoreUnderTest): Promise<unknown> =>
  withView(under, async (view) => [
    view.slot,
    view.coverage,
    view.incompleteTrees,
    view.terms.changeSeq,
    view.terms.nextOrdinal,
    await view.read(reads.account(addressOf("rent"))),
    await view.read(reads.account(addressBeside(addressOf("plain"), "beside"))),
    await view.read(reads.account(addressOf("burnt"))),
    await view.read(
      reads.moreDelegated({
        delegate: addressOf("delegate"),
        tokenProgram: tokenAccountOf("x", { mint: addressOf("m"), tokenOwner: addressOf("o") }).programOwner,
        mint: null,
      }),
    ),
    ...(await Promise.all(
      (["all", "circulating", "nonCirculating"] as const).map((filter) =>
        view.read(reads.largest({ filter, limit: 20, clock: { epoch: 1n, unixTimestamp: 1n } })),
      ),
    )),
    await view.read(reads.ownAsset(assetOf(5).id)),
    await view.read(reads.ownAsset(assetOf(3).id)),
    await view.read(reads.editions(addressOf("parent"), { kind: "offset", offset: 0 }, 100)),
    await view.read(reads.holdings({ tokenOwner: addressOf("wallet"), mints: [addressOf("mint")] })),
    await view.terms.listChanges(0, 5000),
    await view.read(
      reads.search({
        criteria: [{ kind: "creator", creator: addressOf("a"), verified: true }],
        match: "all",
        negate: false,
        sort: "none",
        direction: "asc",
        start: { kind: "page", page: 1 },
        limit: 1000,
      }),
    ),
  ]);

export const describeCopies = (setup: CopySetup): void => {
  describe("a copy", () => {
    test("holds what the store held, answers the same, and is sound", async () => {
      const from = await createFilled(setup);
      const to = await setup.createLocation();
      await copyAll(setup, from, to);
      const content = await contentOf(setup, from);
      expect(content.accounts).toHaveLength(MANY + 14);
      expect(content.assets).toHaveLength(ASSETS - 1);
      expect(await contentOf(setup, to)).toEqual(content);
      const [first, second] = [await setup.open(from), await setup.open(to)];
      expect(await second.store.checkIntegrity()).toEqual([]);
      expect(await readsOf(second)).toEqual(await readsOf(first));
      await first.close();
      await second.close();
    });

    test("goes on as the store would have: same ordinals, same change numbers, same last lives", async () => {
      const from = await createFilled(setup);
      const to = await setup.createLocation();
      await copyAll(setup, from, to);
      const next = slotOf(3, {
        accounts: [
          writeOf(tombstoneOf("husk", 3), { ...life("husk"), address: addressOf("husk") }),
          writeOf(accountOf("burnt", { slot: 3 })),
          writeOf(tombstoneOf("token", 3)),
          writeOf(tombstoneOf("stake", 3)),
          writeOf(tombstoneOf("plain", 3)),
          writeOf(tombstoneOf("rent", 0)),
        ],
        assets: [assetOf("newest"), assetOf(7, { name: "again" })],
        linksRemoved: [{ role: "metadata", target: addressOf("target 0"), source: addressOf("source 0") }],
        editionsRemoved: [addressOf("print 3")],
      });
      for (const location of [from, to]) {
        const store = await setup.openStore(location);
        await store.commit(next);
        expect(await store.checkIntegrity()).toEqual([]);
        await store.close();
      }
      expect(await contentOf(setup, to)).toEqual(await contentOf(setup, from));
    });

    test("knows the chain of the store it was made of, not that of the empty one it replaces", async () => {
      const known = await createFilled(setup);
      const unknown = await setup.createLocation();
      await (await setup.openStore(unknown)).close();
      for (const [from, genesisHash] of [
        [known, "genesis"],
        [unknown, null],
      ] as const) {
        const to = await setup.createLocation();
        const empty = await setup.openStore(to);
        await empty.writeGenesisHash("stale");
        await empty.close();
        await copyAll(setup, from, to);
        const copy = await setup.openStore(to);
        expect(await copy.readGenesisHash()).toBe(genesisHash);
        await copy.close();
      }
    });

    test("is of the moment the export was opened, in the order of keys", async () => {
      const from = await createFilled(setup);
      const before = await contentOf(setup, from);
      const source = await setup.openExport(from);
      const store = await setup.openStore(from);
      await store.commit(
        slotOf(9, { accounts: [writeOf(accountOf("plain", { slot: 9 }))], assets: [assetOf(0)] }),
      );
      await store.close();
      const ordinals: number[] = [];
      for await (const page of source.pages("assets")) ordinals.push(...page.map(({ ordinal }) => ordinal));
      const prefixes: bigint[] = [];
      for await (const page of source.pages("accounts")) {
        expect(page.every(({ current }) => current.slot < 9)).toBe(true);
        prefixes.push(...page.map(({ current }) => Buffer.from(current.address).readBigInt64BE()));
      }
      expect(source.head).toEqual(before.head);
      expect(ordinals).toEqual(before.assets.map(({ ordinal }) => ordinal));
      expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b));
      expect(prefixes).toEqual(prefixes.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      await source.close();
    });

    test("without an index of holdings keeps none", async () => {
      const to = await setup.createLocation();
      const target = await setup.openImport(to, false);
      const token = tokenAccountOf("token", { mint: addressOf("mint"), tokenOwner: addressOf("wallet") });
      await target.write("accounts", [{ current: token, lastLife: null }]);
      const head: StoreHead = {
        watermark: { slot: 1, blockhash: "b" },
        changeSeq: 0,
        nextOrdinal: 0,
        coverage: { kind: "whole" },
        holdings: false,
        holders: false,
        notes: { receipt: "r" },
      };
      await target.finish(head, () => {});
      await target.close();
      const under = await setup.open(to);
      expect(await under.store.checkIntegrity()).toEqual([]);
      await expect(
        withView(under, (view) =>
          view.terms.listOrdinals(
            { kind: "owner", owner: addressOf("wallet"), ownerModel: "token", includeZero: true },
            10,
          ),
        ),
      ).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
      await under.close();
      expect((await contentOf(setup, to)).head).toEqual(head);
    });

    test("that was given up leaves an empty place, which the next one takes", async () => {
      const from = await createFilled(setup);
      const to = await setup.createLocation();
      const target = await setup.openImport(to, true);
      await target.write("accounts", [{ current: accountOf("half"), lastLife: null }]);
      await target.close();
      await copyAll(setup, from, to);
      expect(await contentOf(setup, to)).toEqual(await contentOf(setup, from));
    });

    test("goes into nothing but an empty store, and nobody else writes there meanwhile", async () => {
      const from = await createFilled(setup);
      const before = await contentOf(setup, from);
      const open = async (): Promise<StoreImport> => setup.openImport(from, true);
      await expect(open()).rejects.toMatchObject({ code: "STORE__NOT_EMPTY" });
      expect(await contentOf(setup, from)).toEqual(before);
      const empty = await setup.createLocation();
      await (await setup.openStore(empty)).close();
      const target = await setup.openImport(empty, true);
      const write = async (): Promise<IndexStore> => setup.openStore(empty);
      await expect(write()).rejects.toMatchObject({ code: "STORE__LOCKED" });
      await target.close();
      const store = await setup.openStore(empty);
      await store.commit(changes({ assets: [assetOf(1)] }));
      await store.close();
    });
  });
};
