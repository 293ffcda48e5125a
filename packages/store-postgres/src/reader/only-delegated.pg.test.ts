import { programAddresses, sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  type DelegateQuery,
  encodeAccountRow,
  type IndexStore,
  MoreReads,
  type OnlyRead,
  type ReadView,
} from "@lamplight/core";
import { accountOf, addressOf, slotOf, tokenAccountOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Session } from "../engine/session.ts";
import { DELEGATED_BYTES_MAX } from "../engine/settings.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { openPostgresReader, type PostgresReader } from "./open-postgres-reader.ts";

type DelegatedRead = Extract<OnlyRead, { readonly kind: "delegated" }>;

const { token, token2022 } = programAddresses;
const [delegate, missing] = [addressOf("delegate"), addressOf("no such mint")];
const LIMIT = 8;

/** Its data says which slot wrote it. */
const mintAt = (name: string, slot: number, programOwner = token): Account =>
  accountOf(name, { programOwner, data: new Uint8Array(82).fill(slot, 36), slot });

const heldAt = (name: string, mint: AddressBytes, slot: number, programOwner = token): Account => {
  const account = tokenAccountOf(name, { programOwner, slot });
  account.data.set(mint, 0);
  account.data[64] = slot;
  return account;
};

const [apples, pears] = [addressOf("apples"), addressOf("pears")];
const chainAt = (slot: number): readonly Account[] => [
  mintAt("apples", slot),
  mintAt("pears", slot),
  mintAt("plums", slot, token2022),
  ...["a", "b", "c"].map((name) => heldAt(name, apples, slot)),
  ...["d", "e"].map((name) => heldAt(name, pears, slot)),
  heldAt("f", missing, slot),
  heldAt("g", addressOf("plums"), slot, token2022),
  // Of another delegate.
  accountOf("h", { programOwner: token, data: new Uint8Array(165), slot }),
];

const ofProgram = (withMints: boolean, limit = LIMIT, address: AddressBytes = token): DelegatedRead => ({
  kind: "delegated",
  delegate,
  by: { kind: "programId", address },
  limit,
  withMints,
});
const ofMint = (address: AddressBytes, limit = LIMIT): DelegatedRead => ({
  ...ofProgram(true, limit),
  by: { kind: "mint", address },
});
const queryOf = ({ by, limit }: DelegatedRead, tokenProgram: AddressBytes = token): DelegateQuery => ({
  delegate,
  tokenProgram: by.kind === "programId" ? by.address : tokenProgram,
  mint: by.kind === "mint" ? by.address : null,
  limit,
});

/** With extensions, and so few zeros that it is stored as it is. */
const grown = (account: Account, bytes: number): Account => {
  const data = new Uint8Array(bytes).fill(1);
  data.set(account.data);
  const isTokenAccount = account.data.length === 165;
  data[165] = isTokenAccount ? 2 : 1;
  return { ...account, data };
};
const sizesOf = (accounts: readonly Account[]): readonly number[] => accounts.map(({ data }) => data.length);
const storedBytes = (names: readonly string[]): number =>
  chainAt(2)
    .filter(({ address }) => names.some((name) => sameBytes(address, addressOf(name))))
    .reduce((sum, account) => sum + encodeAccountRow(account).data.length, 0);

describeWithPostgres("a view of a delegate's accounts", (under) => {
  let store: IndexStore;
  let reader: PostgresReader;
  let url: string;

  beforeEach(async () => {
    url = under().newStore();
    store = await openPostgresStore({ url, mode: "write" });
    await store.writeCoverage({ kind: "whole" });
    await store.commit(slotOf(1, chainAt(1)));
    await openReader();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    reader.close();
    await store.close();
  });

  /** One that knows all programs. */
  const openReader = async (sessionsMax?: number): Promise<void> => {
    reader?.close();
    const options = sessionsMax === undefined ? {} : { sessionsMax, viewWaitMs: 120_000 };
    reader = await openPostgresReader({ url, ...options });
    await learnPrograms();
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

  const listed = (only: DelegatedRead | undefined, query: DelegateQuery): Promise<readonly Account[]> =>
    withView(only, (view) => view.accounts.listAccountsByDelegate(query));

  /** What a view of everything teaches the reader. */
  const learnPrograms = async (): Promise<void> => {
    for (const program of [token, token2022])
      await listed(undefined, queryOf(ofProgram(false, LIMIT, program)));
    await withView(undefined, (view) => view.accounts.findAccounts([addressOf("plums"), apples]));
  };

  /** Whether an account can be read that belongs to no list. */
  const isOfEverything = (only: DelegatedRead): Promise<boolean> =>
    withView(only, async (view) => {
      try {
        return (await view.accounts.findAccount(addressOf("h"))) !== null;
      } catch (error) {
        expect(error).toBeInstanceOf(MoreReads);
        return false;
      }
    });

  test.each([
    ["a program", ofProgram(false), 6],
    ["a program, with mints", ofProgram(true), 6],
    ["the other program", ofProgram(true, LIMIT, token2022), 1],
    ["a mint", ofMint(apples), 3],
    ["a delegate without any", { ...ofProgram(true), delegate: addressOf("nobody") }, 0],
  ])(
    "answers for %s what a view of everything does, with nothing sent but one statement",
    async (_, only, count) => {
      // A second session would send its settings.
      await openReader(1);
      const query = { ...queryOf(only), delegate: only.delegate };
      const wanted = await listed(undefined, query);
      expect(wanted).toHaveLength(count);
      const spies = (["execute", "all", "views"] as const).map((name) => vi.spyOn(Session.prototype, name));
      await withView(only, async (view) => {
        expect([view.slot, view.coverage]).toEqual([1, { kind: "whole" }]);
        expect(await view.accounts.listAccountsByDelegate(query)).toEqual(wanted);
      });
      expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 1]);
    },
  );

  test("brings the mints, and knows which are missing", async () => {
    const asked = [missing, pears, apples];
    const wanted = await withView(undefined, (view) => view.accounts.findAccounts(asked));
    expect(wanted.map((account) => account?.address)).toEqual([undefined, pears, apples]);
    await withView(ofProgram(true), async (view) => {
      expect(await view.accounts.findAccounts(asked)).toEqual(wanted);
      expect(await view.accounts.findAccount(pears)).toEqual(wanted[1]);
    });
    await withView(ofMint(apples), async (view) => {
      expect(await view.accounts.findAccount(apples)).toEqual(wanted[2]);
    });
    await withView(ofMint(missing), async (view) => {
      expect(await view.accounts.findAccount(missing)).toBeNull();
    });
  });

  const refused = (only: DelegatedRead, read: (view: ReadView) => unknown): Promise<void> =>
    expect(withView(only, async (view) => read(view))).rejects.toBeInstanceOf(MoreReads);

  test("reports that anything else would be another read", async () => {
    const [all, some] = [ofProgram(true), ofMint(apples)];
    const lists = (only: DelegatedRead, query: Partial<DelegateQuery>): Promise<void> =>
      refused(only, (view) => view.accounts.listAccountsByDelegate({ ...queryOf(only), ...query }));
    await lists(all, { delegate: addressOf("nobody") });
    await lists(all, { tokenProgram: token2022 });
    await lists(all, { mint: apples });
    await lists(all, { after: addressOf("a") });
    await lists(all, { limit: LIMIT + 1 });
    await lists(some, { mint: null });
    await lists(some, { mint: pears });
    await lists(some, { tokenProgram: token2022 });
    // The mint is missing: what owns it is not known.
    await lists(ofMint(missing), {});
    await refused(ofProgram(false), (view) => view.accounts.findAccount(apples));
    await refused(all, (view) => view.accounts.findAccounts([apples, addressOf("plums")]));
    await refused(some, (view) => view.accounts.findAccount(pears));
    await refused(all, (view) => view.accounts.isClosed(apples));
    await refused(all, (view) => view.assets.findAsset(apples));
  });

  test("is of everything where a page is full: there may be more accounts", async () => {
    for (const [only, accounts] of [
      [ofProgram, 6],
      [(withMints: boolean, limit: number) => ({ ...ofMint(apples, limit), withMints }), 3],
    ] as const)
      for (const withMints of [false, true]) {
        expect(await isOfEverything(only(withMints, accounts + 1))).toBe(false);
        expect(await isOfEverything(only(withMints, accounts))).toBe(true);
        expect(await listed(only(withMints, accounts), queryOf(only(withMints, accounts)))).toHaveLength(
          accounts,
        );
      }
  });

  const one = ofProgram(false, LIMIT, token2022);
  test.each([
    ["the accounts of a program", one, "g", []],
    ["the accounts and their mints", ofProgram(true), "apples", ["pears", "a", "b", "c", "d", "e", "f"]],
    ["a mint and its accounts", ofMint(apples), "apples", ["a", "b", "c"]],
    ["an account and its mint", ofProgram(true, LIMIT, token2022), "g", ["plums"]],
  ] as const)("is of everything where %s have too many bytes together", async (_, only, longest, others) => {
    const query = queryOf(only);
    const room = DELEGATED_BYTES_MAX - storedBytes(others);
    for (const [bytes, isTooLong] of [
      [room, false],
      [room + 1, true],
    ] as const) {
      const chain = chainAt(2).map((account) =>
        sameBytes(account.address, addressOf(longest)) ? grown(account, bytes) : account,
      );
      await store.commit(slotOf(isTooLong ? 3 : 2, chain));
      expect(await isOfEverything(only)).toBe(isTooLong);
      expect(sizesOf(await listed(only, query))).toEqual(sizesOf(await listed(undefined, query)));
    }
  });

  test("is of everything while programs or settings are not known", async () => {
    const fresh = ofProgram(true, LIMIT, addressOf("a new program"));
    expect(await isOfEverything(fresh)).toBe(true);
    const owner = addressOf("a new owner of mints");
    await store.commit(slotOf(2, [mintAt("cherries", 2, owner), heldAt("i", addressOf("cherries"), 2)]));
    expect(await isOfEverything(ofProgram(false))).toBe(false);
    expect(await isOfEverything(ofProgram(true))).toBe(true);
    await withView(undefined, (view) => view.accounts.findAccount(addressOf("cherries")));
    expect(await isOfEverything(ofProgram(true))).toBe(false);
    await store.writeCoverage({ kind: "filtered", programs: [], owners: [], mints: [], collections: [] });
    expect(await isOfEverything(ofProgram(true))).toBe(true);
    expect(await withView(ofProgram(true), (view) => view.coverage.kind)).toBe("filtered");
  });

  /** As another database with the same accounts: its programs have other numbers. */
  const putBack = async (): Promise<void> => {
    const client = await under().server.connect();
    const schema = new URL(url).searchParams.get("schema");
    await client.query(`SET search_path = ${schema}; BEGIN; UPDATE program SET id = id + 1000;
UPDATE account SET program = program + 1000; UPDATE head SET writer_id = 'put back'; COMMIT`);
    await client.end();
  };

  test.each([
    ["a program", ofProgram(true), 6],
    ["a mint", ofMint(apples), 3],
  ])("finds the accounts of %s in a database that was put back", async (_, only, count) => {
    await putBack();
    expect(await listed(only, queryOf(only))).toHaveLength(count);
    expect(await listed(only, queryOf(only))).toHaveLength(count);
  });

  test("finds them though it was put back under way, and others know of it already", async () => {
    const ask = Session.prototype.views;
    vi.spyOn(Session.prototype, "views").mockImplementationOnce(async function (this: Session, ...asked) {
      await putBack();
      await learnPrograms();
      return ask.apply(this, asked);
    });
    expect(await listed(ofProgram(true), queryOf(ofProgram(true)))).toHaveLength(6);
  });

  test("is of one slot, head and accounts and mints, regardless of what is committed in the meantime", async () => {
    const done = new AbortController();
    const commits = async (): Promise<void> => {
      for (let slot = 2; slot <= 60; slot += 1) await store.commit(slotOf(slot, chainAt(slot)));
      done.abort();
    };
    const slots = new Set<number>();
    const reads = async (
      only: DelegatedRead,
      mints: readonly AddressBytes[],
      count: number,
    ): Promise<void> => {
      while (!done.signal.aborted)
        await withView(only, async (view) => {
          slots.add(view.slot);
          const accounts = await view.accounts.listAccountsByDelegate(queryOf(only));
          expect(accounts.map(({ data }) => data[64])).toEqual(
            Array.from({ length: count }, () => view.slot),
          );
          for (const mint of await view.accounts.findAccounts(mints)) expect(mint?.data[40]).toBe(view.slot);
        });
    };
    await Promise.all([
      commits(),
      reads(ofProgram(true), [apples, pears], 6),
      reads(ofProgram(false), [], 6),
      reads(ofMint(apples), [apples], 3),
    ]);
    expect(slots.size).toBeGreaterThan(5);
  });
});
