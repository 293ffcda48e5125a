import { type Account, type IndexStore, MoreReads, type OnlyRead, type ReadView } from "@lamplight/core";
import {
  accountOf,
  addressOf,
  assetOf,
  slotOf,
  tokenAccountOf,
} from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Session } from "../engine/session.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { documentRow } from "../../test/document-row.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresReader, type PostgresReader } from "./open-postgres-reader.ts";

const mint = addressOf("mint");
const accountRead = (address: Uint8Array, withMint = false): OnlyRead => ({
  kind: withMint ? "accountWithMint" : "account",
  address,
});

/** A token account of which no byte is coded, since it has hardly any zeros. */
const denseToken = (name: string): Account => {
  const data = new Uint8Array(165).fill(7);
  data.set(mint, 0);
  return tokenAccountOf(name, { data });
};

describeWithPostgres("a view of one read", (under) => {
  let store: IndexStore;
  let reader: PostgresReader;
  let url: string;
  const accounts = [
    accountOf("wallet", { lamports: 2n ** 64n - 1n, rentEpoch: 3n }),
    tokenAccountOf("coded"),
    denseToken("dense"),
    tokenAccountOf("mint"),
  ];

  beforeEach(async () => {
    url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await store.commit(slotOf(1, accounts, { assets: [assetOf(1)] }));
    await openReader();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    reader.close();
    await store.close();
  });

  const openReader = async (sessionsMax?: number): Promise<void> => {
    reader?.close();
    const options = sessionsMax === undefined ? {} : { sessionsMax, viewWaitMs: 120_000 };
    reader = await openPostgresReader({ url, ...options });
    // What a view of everything teaches the reader: settings, and numbers of programs.
    await withView(undefined, async (view) => {
      for (const { address } of accounts) await view.accounts.findAccount(address);
    });
  };

  const withView = async <Result>(
    only: OnlyRead | undefined,
    read: (view: ReadView) => Result | Promise<Result>,
  ): Promise<Result> => {
    const view = await reader.openView("finalized", only);
    try {
      return await read(view);
    } finally {
      view.close();
    }
  };

  const refused = (only: OnlyRead, read: (view: ReadView) => unknown): Promise<void> =>
    expect(withView(only, async (view) => read(view))).rejects.toBeInstanceOf(MoreReads);

  test("answers what a view of everything does, with nothing sent but one statement", async () => {
    // A second session would send its settings.
    await openReader(1);
    const wanted = await withView(undefined, async (view) => ({
      slot: view.slot,
      coverage: view.coverage,
      accounts: await view.accounts.findAccounts(accounts.map(({ address }) => address)),
      asset: await view.assets.findAsset(assetOf(1).id),
    }));
    const [execute, get] = [vi.spyOn(Session.prototype, "execute"), vi.spyOn(Session.prototype, "get")];
    for (const [index, { address }] of accounts.entries())
      await withView(accountRead(address), async (view) => {
        expect(await view.accounts.findAccount(address)).toEqual(wanted.accounts[index]);
        expect([view.slot, view.coverage]).toEqual([wanted.slot, wanted.coverage]);
      });
    await withView({ kind: "asset", id: assetOf(1).id }, async (view) => {
      expect(await view.assets.findAsset(assetOf(1).id)).toEqual(wanted.asset);
    });
    expect(execute).not.toHaveBeenCalled();
    expect(get).toHaveBeenCalledTimes(accounts.length + 1);
  });

  test("answers with the slot what is not there", async () => {
    const absent = addressOf("absent");
    await withView(accountRead(absent, true), async (view) => {
      expect(view.slot).toBe(1);
      expect(await view.accounts.findAccount(absent)).toBeNull();
    });
    await withView({ kind: "asset", id: absent }, async (view) => {
      expect(view.slot).toBe(1);
      expect(await view.assets.findAsset(absent)).toBeNull();
    });
  });

  test.each([
    ["whose data is coded", "coded"],
    ["whose data is not", "dense"],
  ])("brings the mint of a token account %s", async (_which, name) => {
    await withView(accountRead(addressOf(name), true), async (view) => {
      expect(await view.accounts.findAccount(mint)).toEqual(accounts[3]);
      expect((await view.accounts.findAccount(addressOf(name)))?.data.subarray(0, 32)).toEqual(mint);
    });
  });

  test("brings what the off-chain document of an asset adds, once there are any", async () => {
    const uri = "https://example.com/☀.json";
    const [named, unnamed] = [{ ...assetOf("named"), jsonUri: uri }, assetOf(1)];
    await store.commit(slotOf(2, [], { assets: [named] }));
    const contentOf = ({ id }: { readonly id: Uint8Array }, asked: string) =>
      withView({ kind: "asset", id }, async (view) => (await view.assets.readContents([asked]))[0]);
    // Nothing can have been added.
    expect(await contentOf(named, uri)).toBeNull();
    await store.offchain!.writeRows([documentRow(uri, '{"description":"from afar"}')]);
    const wanted = await withView(undefined, async (view) => (await view.assets.readContents([uri]))[0]);
    expect(wanted?.parts).toContain("from afar");
    expect(await contentOf(named, uri)).toEqual(wanted);
    await refused({ kind: "asset", id: unnamed.id }, (view) => view.assets.readContents([uri]));
    await store.offchain!.writeRows([documentRow(uri, null)]);
    expect(await contentOf(named, uri)).toBeNull();
  });

  test("knows that the mint of a token account is missing", async () => {
    const orphan = tokenAccountOf("orphan", { slot: 2 });
    const missing = addressOf("no mint");
    orphan.data.set(missing, 0);
    await store.commit(slotOf(2, [orphan]));
    await withView(accountRead(orphan.address, true), async (view) => {
      expect(await view.accounts.findAccount(orphan.address)).toEqual(orphan);
      expect(await view.accounts.findAccount(missing)).toBeNull();
    });
  });

  test("reports that anything else would be another read", async () => {
    const { address } = accounts[0]!;
    const account = accountRead(address);
    await refused(account, (view) => view.accounts.findAccount(mint));
    await refused(account, (view) => view.accounts.findAccounts([address, mint]));
    await refused(account, (view) =>
      view.accounts.listAccountsByDelegate({ delegate: address, tokenProgram: mint, mint: null, limit: 9 }),
    );
    await refused(account, (view) => view.accounts.isClosed(address));
    await refused(account, (view) => view.assets.findAsset(address));
    await refused(account, (view) => view.editions.countEditions(address));
    await refused(account, (view) => view.search);
    await refused(account, (view) => view.terms.readFacts([]));
    await refused({ kind: "asset", id: assetOf(1).id }, (view) => view.accounts.findAccount(address));
  });

  test("is of everything while programs or settings are not known, and after a commit at its slot", async () => {
    const owner = addressOf("a new program");
    await store.commit(slotOf(2, [accountOf("new", { programOwner: owner, slot: 2 })]));
    const only = accountRead(addressOf("new"));
    const knowsMore = (): Promise<boolean> =>
      withView(only, async (view) => {
        expect(view.slot).toBe(2);
        expect((await view.accounts.findAccount(addressOf("new")))?.programOwner).toEqual(owner);
        return (await view.accounts.findAccounts([mint]))[0] !== null;
      });
    expect(await knowsMore()).toBe(true);
    await expect(knowsMore()).rejects.toBeInstanceOf(MoreReads);
    await store.writeCoverage({ kind: "filtered", programs: [], owners: [], mints: [], collections: [] });
    expect(await withView(only, (view) => view.coverage.kind)).toBe("filtered");
    expect(await knowsMore().catch((error: unknown) => error)).toBeInstanceOf(MoreReads);
  });

  test("needs no place for longer than its statement: one session serves any number of open views", async () => {
    const narrow = await openPostgresReader({ url, sessionsMax: 1, viewWaitMs: 120_000 });
    try {
      (await narrow.openView("finalized")).close();
      const asked = Array.from({ length: 50 }, () =>
        narrow.openView("finalized", { kind: "asset", id: assetOf(1).id }),
      );
      expect((await Promise.all(asked)).map((view) => view.slot)).toEqual(asked.map(() => 1));
    } finally {
      narrow.close();
    }
  });

  test("is of one slot, head and row, regardless of what is committed in the meantime", async () => {
    const done = new AbortController();
    const commits = async (): Promise<void> => {
      for (let slot = 2; slot <= 60; slot += 1) {
        const wallet = accountOf("wallet", { lamports: BigInt(slot), slot });
        const document = JSON.stringify({ slot });
        await store.commit(slotOf(slot, [wallet], { assets: [{ ...assetOf(1), document }] }));
      }
      done.abort();
    };
    const slots = new Set<number>();
    const reads = async (): Promise<void> => {
      while (!done.signal.aborted) {
        await withView(accountRead(addressOf("wallet")), async (view) => {
          slots.add(view.slot);
          const account = await view.accounts.findAccount(addressOf("wallet"));
          if (view.slot > 1) expect(account?.lamports).toBe(BigInt(view.slot));
        });
        await withView({ kind: "asset", id: assetOf(1).id }, async (view) => {
          const asset = await view.assets.findAsset(assetOf(1).id);
          if (view.slot > 1) expect(asset?.document).toBe(JSON.stringify({ slot: view.slot }));
        });
      }
    };
    await Promise.all([commits(), reads(), reads()]);
    expect(slots.size).toBeGreaterThan(5);
  });
});
