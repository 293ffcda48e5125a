import {
  type Account,
  contentText,
  type IndexStore,
  type Opening,
  type Read,
  reads,
  type ReadView,
  NeedsSnapshot,
} from "@lamplight/core";
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
import { openPostgresReader } from "./open-postgres-reader.ts";
import type { PostgresReader } from "./postgres-reader.ts";
import { PostgresView } from "./postgres-view.ts";

const mint = addressOf("mint");
/** A token account of which no byte is coded, since it has hardly any zeros. */
const denseToken = (name: string): Account => {
  const data = new Uint8Array(165).fill(7);
  data.set(mint, 0);
  for (const tag of [72, 109, 129]) data.set([1, 0, 0, 0], tag);
  data[108] = 1;
  return tokenAccountOf(name, { data });
};

/** Whether the view holds no transaction. */
const isWithout = (view: ReadView): boolean => view instanceof PostgresView && !view.hasTransaction;

describeWithPostgres("a view without a transaction", (under) => {
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
    // The reader learns settings and numbers of programs from a view with a transaction.
    await withView([], async (view) => {
      for (const { address } of accounts) await view.read(reads.account(address));
    });
  };

  /** @param first - none: with a transaction */
  const withView = async <Result>(
    first: readonly Read[],
    use: (view: ReadView) => Result | Promise<Result>,
  ): Promise<Result> => {
    const opening = first.length === 0 ? [] : [{ reads: first, stop: null }];
    const view = await reader.openView("finalized", ...opening);
    try {
      return await use(view);
    } finally {
      view.close();
    }
  };

  /** The answer by a view that is opened with the read, and by one with a transaction. */
  const bothWays = async (asked: Read): Promise<readonly [unknown, unknown]> => [
    await withView([asked], (view) => view.read(asked)),
    await withView([], (view) => view.read(asked)),
  ];

  const expectSame = async (asked: Read): Promise<unknown> => {
    const [ours, wanted] = await bothWays(asked);
    expect(ours).toEqual(wanted);
    return ours;
  };

  test("answers what a view with a transaction does, with nothing sent but one statement", async () => {
    // A second session would send its settings.
    await openReader(1);
    const asked: readonly Read[] = [
      ...accounts.map(({ address }) => reads.account(address)),
      reads.editionPage(mint, { kind: "offset", offset: 0 }, 10),
      reads.editionPage(addressOf("wallet"), { kind: "before", number: 7n }, 10),
      reads.asset(assetOf(1).id),
    ];
    const wanted = await withView([], async (view) => ({
      slot: view.slot,
      coverage: view.coverage,
      answers: await Promise.all(asked.map((one) => view.read(one))),
    }));
    const [execute, all] = [vi.spyOn(Session.prototype, "execute"), vi.spyOn(Session.prototype, "all")];
    for (const [index, one] of asked.entries())
      await withView([one], async (view) => {
        expect(await view.read(one)).toEqual(wanted.answers[index]);
        expect([view.slot, view.coverage]).toEqual([wanted.slot, wanted.coverage]);
      });
    expect(execute).not.toHaveBeenCalled();
    expect(all).toHaveBeenCalledTimes(asked.length);
  });

  test("answers with the slot what is not there", async () => {
    const absent = addressOf("absent");
    for (const asked of [reads.accountWithMint(absent), reads.asset(absent)]) {
      await expectSame(asked);
      expect(await withView([asked], (view) => [isWithout(view), view.slot])).toEqual([true, 1]);
    }
  });

  test.each([
    ["whose data is coded", "coded"],
    ["whose data is not", "dense"],
  ])("brings the mint of a token account %s", async (_which, name) => {
    expect(await expectSame(reads.accountWithMint(addressOf(name)))).toMatchObject({ mint: accounts[3] });
  });

  const contentOf = async (id: Uint8Array) =>
    ((await expectSame(reads.asset(id))) as { readonly content: unknown }).content;

  test("brings what the off-chain document of an asset adds, once there are any", async () => {
    const uri = "https://example.com/☀.json";
    const content = contentText({ jsonUri: uri, name: "named", symbol: "", tokenStandard: null });
    const document = `{"interface":"V1_NFT","id":"named","content":${content}}`;
    const [named, unnamed] = [{ ...assetOf("named"), document, jsonUri: uri }, assetOf(1)];
    await store.commit(slotOf(2, [], { assets: [named] }));
    // Nothing can have been added.
    expect(await contentOf(named.id)).toBeNull();
    await store.offchain!.writeRows([documentRow(uri, '{"description":"from afar"}')]);
    // The first view learns of it.
    expect(await withView([reads.asset(named.id)], isWithout)).toBe(false);
    expect(await contentOf(named.id)).toMatchObject({
      parts: expect.stringContaining("from afar") as string,
    });
    expect(await withView([reads.asset(named.id)], isWithout)).toBe(true);
    expect(await contentOf(unnamed.id)).toBeNull();
    await store.offchain!.writeRows([documentRow(uri, null)]);
    expect(await contentOf(named.id)).toBeNull();
  });

  test("knows that the mint of a token account is missing", async () => {
    const orphan = tokenAccountOf("orphan", { slot: 2 });
    orphan.data.set(addressOf("no mint"), 0);
    await store.commit(slotOf(2, [orphan]));
    const asked = reads.accountWithMint(orphan.address);
    expect(await expectSame(asked)).toEqual({ account: orphan, mint: null });
    expect(await withView([asked], isWithout)).toBe(true);
  });

  test("brings compression states of one kind, where there are any", async () => {
    const [tree, none] = [addressOf("tree"), addressOf("none")];
    const states = ["one", "two"].map(
      (name) => ({ kind: "leaf", key: addressOf(name), tree, state: `{"of":"${name}"}` }) as const,
    );
    const nodes = { ...states[0]!, kind: "nodes", state: "AAAA" } as const;
    await store.commit(slotOf(2, [], { ledger: [...states, nodes] }));
    const [one, two] = states as [(typeof states)[0], (typeof states)[0]];
    const asked = reads.ledger("leaf", [two.key, none, one.key, two.key]);
    expect(await expectSame(asked)).toEqual([two, null, one, two]);
    expect(await expectSame(reads.ledger("nodes", [one.key, two.key]))).toEqual([nodes, null]);
    expect(await expectSame(reads.ledger("leaf", [none]))).toEqual([null]);
    expect(await expectSame(reads.ledger("leaf", [one.key]))).toEqual([one]);
    const many = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? none : two.key));
    expect(await expectSame(reads.ledger("leaf", many))).toEqual(
      many.map((key) => (key === none ? null : two)),
    );
    expect(await expectSame(reads.ledger("leaf", []))).toEqual([]);
    expect(await withView([asked], (view) => [isWithout(view), view.slot])).toEqual([true, 2]);
  });

  const ofWallet = reads.account(addressOf("wallet"));
  const further: readonly Read[] = [
    reads.account(mint),
    reads.accountWithMint(addressOf("dense")),
    reads.accounts([mint, addressOf("wallet")]),
    reads.isClosed(mint),
    reads.asset(assetOf(1).id),
    reads.ownAssets([0]),
    reads.editionCount(mint),
    reads.moreDelegated({ delegate: mint, tokenProgram: mint, mint: null, limit: 9 }),
    reads.editionPage(mint, { kind: "offset", offset: 0 }, 10),
    reads.ledger("leaf", [mint]),
  ];

  test("reads further rounds at its slot", async () => {
    const wanted = await withView([], (view) => Promise.all(further.map((one) => view.read(one))));
    const execute = vi.spyOn(Session.prototype, "execute");
    await withView([ofWallet], async (view) => {
      for (const [index, one] of further.entries()) expect(await view.read(one)).toEqual(wanted[index]);
      expect(await Promise.all(further.map((one) => view.read(one)))).toEqual(wanted);
    });
    expect(execute).not.toHaveBeenCalled();
  });

  test.each(further)("reports a commit between two rounds: $kind", async (asked) => {
    await withView([ofWallet], async (view) => {
      await view.read(asked);
      await store.commit(slotOf(2, [accountOf("another", { slot: 2 })]));
      expect(await view.read(ofWallet)).toEqual(accounts[0]);
      await expect((async () => view.read(asked))()).rejects.toBeInstanceOf(NeedsSnapshot);
    });
  });

  test("reports what it learns of the store between two rounds", async () => {
    await withView([ofWallet], async (view) => {
      await store.writeCoverage({ kind: "filtered", programs: [], owners: [], mints: [], collections: [] });
      await expect((async () => view.read(reads.isClosed(mint)))()).rejects.toBeInstanceOf(NeedsSnapshot);
    });
  });

  test("has a transaction for lists, and while programs or settings are not known", async () => {
    const list = reads.moreDelegated({ delegate: mint, tokenProgram: mint, mint: null });
    expect(await withView([list], isWithout)).toBe(false);
    const owner = addressOf("a new program");
    await store.commit(slotOf(2, [accountOf("new", { programOwner: owner, slot: 2 })]));
    const asked = reads.account(addressOf("new"));
    const once = (): Promise<boolean> =>
      withView([asked], async (view) => {
        expect(view.slot).toBe(2);
        expect(await view.read(asked)).toMatchObject({ programOwner: owner });
        return isWithout(view);
      });
    expect([await once(), await once()]).toEqual([false, true]);
    await store.writeCoverage({ kind: "filtered", programs: [], owners: [], mints: [], collections: [] });
    expect(await withView([asked], (view) => view.coverage.kind)).toBe("filtered");
    expect(await once()).toBe(true);
  });

  test("is open at its slot where it refuses a list for want of an index", async () => {
    const query = { mint, sort: "amount", direction: "desc", showsEmpty: false, limit: 2 } as const;
    const asked = reads.holderPage(query);
    await withView([asked], async (view) => {
      expect(view.slot).toBe(1);
      await expect((async () => view.read(asked))()).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    });
  });

  test("needs no place for longer than its statement: one session serves any number of open views", async () => {
    const narrow = await openPostgresReader({ url, sessionsMax: 1, viewWaitMs: 120_000 });
    try {
      (await narrow.openView("finalized")).close();
      const asked = Array.from({ length: 50 }, () =>
        narrow.openView("finalized", { reads: [reads.asset(assetOf(1).id)], stop: null }),
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
    const asset = reads.asset(assetOf(1).id);
    const readOften = async (): Promise<void> => {
      while (!done.signal.aborted) {
        await withView([ofWallet], async (view) => {
          slots.add(view.slot);
          const account = await view.read(ofWallet);
          if (view.slot > 1) expect(account?.lamports).toBe(BigInt(view.slot));
        });
        await withView([asset], async (view) => {
          const document = (await view.read(asset))?.own.document;
          if (view.slot > 1) expect(document).toBe(JSON.stringify({ slot: view.slot }));
        });
      }
    };
    await Promise.all([commits(), readOften(), readOften()]);
    expect(slots.size).toBeGreaterThan(5);
  });

  test("a late opening leaves the cancellation of the server that is read instead", async () => {
    const opening: Opening = { reads: [reads.asset(assetOf(1).id)], stop: null };
    const stopOther = vi.fn();
    const late = reader.openView("finalized", opening);
    expect(opening.stop).not.toBe(null);
    opening.stop = stopOther;
    (await late).close();
    expect(opening.stop).toBe(stopOther);
    reader.close();
    await expect(reader.openView("finalized", opening)).rejects.toMatchObject({ code: "STORE__BUSY" });
    expect(opening.stop).toBe(stopOther);
  });
});
