import { programAddresses, sameBytes } from "@lamplight/codecs";
import {
  type Account,
  type AddressBytes,
  type DelegatedPage,
  encodeAccountRow,
  type IndexStore,
  type ReadOf,
  reads,
} from "@lamplight/core";
import { accountOf, addressOf, slotOf, tokenAccountOf } from "@lamplight/store-conformance/small-chain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Session } from "../engine/session.ts";
import { DELEGATED_BYTES_MAX } from "../engine/settings.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { describeWithPostgres } from "../../test/with-postgres.ts";
import { withView } from "../../test/with-view.ts";
import { openPostgresReader } from "../reader/open-postgres-reader.ts";
import type { PostgresReader } from "../reader/postgres-reader.ts";
import { PostgresView } from "../reader/postgres-view.ts";

type DelegatedRead = ReadOf<"delegated">;

const { token, token2022 } = programAddresses;
const [delegate, missing] = [addressOf("delegate"), addressOf("no such mint")];
const LIMIT = 8;

/** An initialized mint without authorities, whose supply says which slot wrote it. */
const mintAt = (name: string, slot: number, programOwner = token): Account => {
  const data = new Uint8Array(82).fill(slot, 36, 45);
  data[45] = 1;
  return accountOf(name, { programOwner, data, slot });
};

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
  // This account has another delegate.
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
/** An account with extensions, and so few zeros that it is stored as it is. */
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

  const pageOf = (asked: DelegatedRead): Promise<DelegatedPage> =>
    withView(reader, asked, (view) => view.read(asked));
  const wantedPage = (asked: DelegatedRead): Promise<DelegatedPage> =>
    withView(reader, null, (view) => view.read(asked));

  /** Reads through views with a transaction, so that the reader learns the numbers of programs. */
  const learnPrograms = async (): Promise<void> => {
    for (const program of [token, token2022]) await wantedPage(ofProgram(false, LIMIT, program));
    await withView(reader, null, (view) => view.read(reads.accounts([addressOf("plums"), apples])));
  };

  /** Whether one statement was not enough. */
  const hasTransaction = (asked: DelegatedRead): Promise<boolean> =>
    withView(reader, asked, (view) => view instanceof PostgresView && view.hasTransaction);

  test.each([
    ["a program", ofProgram(false), 6],
    ["a program, with mints", ofProgram(true), 6],
    ["the other program", ofProgram(true, LIMIT, token2022), 1],
    ["a mint", ofMint(apples), 3],
    ["a mint, without it", { ...ofMint(apples), withMints: false }, 3],
    ["a mint that is missing", ofMint(missing), 0],
    ["an account that is no mint", ofMint(addressOf("a")), 0],
    ["a delegate without any", { ...ofProgram(true), delegate: addressOf("nobody") }, 0],
  ])(
    "answers for %s what a view with a transaction does, with nothing sent but one statement",
    async (_, asked, count) => {
      // A second session would send its settings.
      await openReader(1);
      const wanted = await wantedPage(asked);
      expect(wanted.accounts).toHaveLength(count);
      const spies = (["execute", "all", "views"] as const).map((name) => vi.spyOn(Session.prototype, name));
      await withView(reader, asked, async (view) => {
        expect([view.slot, view.coverage]).toEqual([1, { kind: "whole" }]);
        expect(await view.read(asked)).toEqual(wanted);
      });
      expect(spies.map((spy) => spy.mock.calls.length)).toEqual([0, 0, 1]);
    },
  );

  test("brings the mints that exist", async () => {
    const { mints } = await pageOf(ofProgram(true));
    expect(mints?.map(({ address }) => address).toSorted(Buffer.compare)).toEqual(
      [apples, pears].toSorted(Buffer.compare),
    );
    expect((await pageOf(ofMint(apples))).mint?.address).toEqual(apples);
    expect(await pageOf(ofMint(missing))).toEqual({ mint: null, accounts: [], mints: null });
  });

  test("has a transaction where the native mint is asked for and no account shows its program", async () => {
    const native = ofMint(programAddresses.nativeMint);
    expect(await hasTransaction(native)).toBe(true);
    expect(await pageOf(native)).toEqual(await wantedPage(native));
  });

  test("has a transaction where a page is full: there may be more accounts", async () => {
    for (const [asked, accounts] of [
      [ofProgram, 6],
      [(withMints: boolean, limit: number) => ({ ...ofMint(apples, limit), withMints }), 3],
    ] as const)
      for (const withMints of [false, true]) {
        expect(await hasTransaction(asked(withMints, accounts + 1))).toBe(false);
        expect(await hasTransaction(asked(withMints, accounts))).toBe(true);
        expect((await pageOf(asked(withMints, accounts))).accounts).toHaveLength(accounts);
      }
  });

  const ofOther = ofProgram(false, LIMIT, token2022);
  test.each([
    ["the accounts of a program", ofOther, "g", []],
    ["the accounts and their mints", ofProgram(true), "apples", ["pears", "a", "b", "c", "d", "e", "f"]],
    ["a mint and its accounts", ofMint(apples), "apples", ["a", "b", "c"]],
    ["an account and its mint", ofProgram(true, LIMIT, token2022), "g", ["plums"]],
  ] as const)(
    "has a transaction where %s have too many bytes together",
    async (_, asked, longest, others) => {
      const room = DELEGATED_BYTES_MAX - storedBytes(others);
      for (const [bytes, isTooLong] of [
        [room, false],
        [room + 1, true],
      ] as const) {
        const chain = chainAt(2).map((account) =>
          sameBytes(account.address, addressOf(longest)) ? grown(account, bytes) : account,
        );
        await store.commit(slotOf(isTooLong ? 3 : 2, chain));
        expect(await hasTransaction(asked)).toBe(isTooLong);
        expect(sizesOf((await pageOf(asked)).accounts)).toEqual(sizesOf((await wantedPage(asked)).accounts));
      }
    },
  );

  test("has a transaction while programs or settings are not known", async () => {
    const fresh = ofProgram(true, LIMIT, addressOf("a new program"));
    expect(await hasTransaction(fresh)).toBe(true);
    const owner = addressOf("a new owner of mints");
    await store.commit(slotOf(2, [mintAt("cherries", 2, owner), heldAt("i", addressOf("cherries"), 2)]));
    expect(await hasTransaction(ofProgram(false))).toBe(false);
    expect(await hasTransaction(ofProgram(true))).toBe(true);
    await withView(reader, null, (view) => view.read(reads.account(addressOf("cherries"))));
    expect(await hasTransaction(ofProgram(true))).toBe(false);
    await store.writeCoverage({ kind: "filtered", programs: [], owners: [], mints: [], collections: [] });
    expect(await hasTransaction(ofProgram(true))).toBe(true);
    expect(await withView(reader, ofProgram(true), (view) => view.coverage.kind)).toBe("filtered");
  });

  /** Acts as another database with the same accounts, whose programs have other numbers. */
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
  ])("finds the accounts of %s in a database that was put back", async (_, asked, count) => {
    await putBack();
    expect((await pageOf(asked)).accounts).toHaveLength(count);
    expect((await pageOf(asked)).accounts).toHaveLength(count);
  });

  test("finds them though it was put back under way, and others know of it already", async () => {
    const ask = Session.prototype.views;
    vi.spyOn(Session.prototype, "views").mockImplementationOnce(async function (this: Session, ...asked) {
      await putBack();
      await learnPrograms();
      return ask.apply(this, asked);
    });
    expect((await pageOf(ofProgram(true))).accounts).toHaveLength(6);
  });

  test("is of one slot, head and accounts and mints, regardless of what is committed in the meantime", async () => {
    const done = new AbortController();
    const commits = async (): Promise<void> => {
      for (let slot = 2; slot <= 60; slot += 1) await store.commit(slotOf(slot, chainAt(slot)));
      done.abort();
    };
    const slots = new Set<number>();
    const readOften = async (asked: DelegatedRead, count: number): Promise<void> => {
      while (!done.signal.aborted)
        await withView(reader, asked, async (view) => {
          slots.add(view.slot);
          const { accounts, mint, mints } = await view.read(asked);
          expect(accounts.map(({ data }) => data[64])).toEqual(
            Array.from({ length: count }, () => view.slot),
          );
          for (const one of [mint ?? [], mints ?? []].flat()) expect(one.data[40]).toBe(view.slot);
        });
    };
    await Promise.all([
      commits(),
      readOften(ofProgram(true), 6),
      readOften(ofProgram(false), 6),
      readOften(ofMint(apples), 3),
    ]);
    expect(slots.size).toBeGreaterThan(5);
  });
});
