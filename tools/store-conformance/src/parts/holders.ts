import {
  type Account,
  baseTokenAccount,
  type BaseTokenAccount,
  byHolderOrder,
  type Holder,
  type HolderQuery,
  reads,
  type ReadView,
} from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountOf, tokenAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressBeside, addressOf } from "../chain/addresses.ts";
import {
  askBoth,
  type CreateStore,
  slotOf,
  type StoreUnderTest,
  withStore,
  withView,
} from "../store-under-test.ts";

const U64_MAX = 2n ** 64n - 1n;
const mints = [addressOf("mint 0"), addressOf("mint 1")] as const;
const ACCOUNTS = 12;
/** Stores that are made. */
const RUNS = 8;

/** Half of the addresses share their first bytes with another one. */
const addressAt = (index: number): Uint8Array =>
  index % 2 === 0 ? addressOf(index) : addressBeside(addressOf(index - 1), index);

/** What becomes of one account: closed, no token account, or a balance of one mint. */
interface Change {
  readonly index: number;
  readonly mint: 0 | 1 | null;
  readonly amount: bigint;
  readonly isClosed: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  index: fc.nat(ACCOUNTS - 1),
  mint: fc.constantFrom(0, 0, 0, 1, null),
  amount: fc.constantFrom(0n, 0n, 1n, 2n, 2n, U64_MAX - 1n, U64_MAX),
  isClosed: fc.constantFrom(false, false, false, true),
});
const commitOf = fc.uniqueArray(change, { minLength: 1, maxLength: 6, selector: ({ index }) => index });
const history = fc.array(commitOf, { minLength: 2, maxLength: 8 });

const accountAt = (slot: number, { index, mint, amount, isClosed }: Change): Account => {
  const parts = { address: addressAt(index), slot };
  if (isClosed) return tombstoneOf(index, slot, parts);
  if (mint === null) return accountOf(index, parts);
  return tokenAccountOf(index, { mint: mints[mint], tokenOwner: addressOf("wallet"), amount }, parts);
};

const holdersIn = (model: ReadonlyMap<number, Change>, mint: number): Holder[] =>
  [...model.values()]
    .filter((held) => !held.isClosed && held.mint === mint)
    .map(({ index, amount }) => ({ tokenAccount: addressAt(index), amount }));

const expectAll = async (view: ReadView, model: ReadonlyMap<number, Change>): Promise<void> => {
  for (const [number, mint] of mints.entries()) {
    const holders = holdersIn(model, number);
    const positive = holders.filter(({ amount }) => amount > 0n).length;
    const count = { positive, empty: holders.length - positive };
    expect(await view.read(reads.holderCount(mint))).toEqual(count);
    for (const list of listsOf(mint)) await expectPages(view, list, holders);
  }
};

const listsOf = (mint: Uint8Array): readonly Omit<HolderQuery, "limit">[] =>
  (["address", "amount"] as const).flatMap((sort) =>
    (["asc", "desc"] as const).flatMap((direction) =>
      [false, true].map((showsEmpty) => ({ mint, sort, direction, showsEmpty })),
    ),
  );

/** All at once, and every page of two behind each account, hidden ones included. */
const expectPages = async (
  view: ReadView,
  list: Omit<HolderQuery, "limit">,
  holders: readonly Holder[],
): Promise<void> => {
  const sorted = holders.toSorted(byHolderOrder(list));
  const shown = sorted.filter(({ amount }) => list.showsEmpty || amount > 0n);
  expect(await view.read(reads.holders({ ...list, limit: 100 }))).toEqual(shown);
  for (const after of sorted) {
    const rest = shown.filter((one) => byHolderOrder(list)(one, after) > 0);
    expect(await view.read(reads.holders({ ...list, after, limit: 2 }))).toEqual(rest.slice(0, 2));
  }
};

/** Pages of each mint with their accounts, and those of the wallet. */
const expectAccounts = async (under: StoreUnderTest, model: ReadonlyMap<number, Change>): Promise<void> => {
  for (const [number, mint] of mints.entries()) {
    const holders = holdersIn(model, number);
    for (const list of listsOf(mint)) await expectHolderPages(under, list, holders);
    await expectHeld(under, mint, holders);
  }
  await expectHeld(
    under,
    null,
    mints.flatMap((_, number) => holdersIn(model, number)),
  );
};

const expectHolderPages = async (
  under: StoreUnderTest,
  list: Omit<HolderQuery, "limit">,
  holders: readonly Holder[],
): Promise<void> => {
  const positive = holders.filter(({ amount }) => amount > 0n).length;
  const count = { positive, empty: holders.length - positive };
  const shown = holders.filter(({ amount }) => list.showsEmpty || amount > 0n).toSorted(byHolderOrder(list));
  const expectPage = (query: HolderQuery, page: readonly Holder[]): Promise<void> =>
    askBoth(under, reads.holderPage(query), async (answer, view) => {
      expect(answer).toEqual({ count, accounts: await accountsAt(view, page) });
    });
  await expectPage({ ...list, limit: 0 }, []);
  await expectPage({ ...list, limit: 100 }, shown);
  for (const [index, after] of shown.entries())
    await expectPage({ ...list, after, limit: 2 }, shown.slice(index + 1, index + 3));
};

const expectHeld = async (
  under: StoreUnderTest,
  mint: Uint8Array | null,
  held: readonly Holder[],
): Promise<void> => {
  for (const showsEmpty of [false, true])
    for (const limit of [1, held.length, 100]) {
      const query = { tokenOwner: addressOf("wallet"), mint, showsEmpty, limit };
      const shown = held.filter(({ amount }) => showsEmpty || amount > 0n).toSorted(byHolderOrder(inOrder));
      await askBoth(under, reads.heldAccounts(query), async (answer, view) => {
        if (held.length > limit) expect(answer).toBeNull();
        else expect(answer?.toSorted(byAddress)).toEqual(await accountsAt(view, shown));
      });
    }
};

const inOrder = { sort: "address", direction: "asc" } as const;
const byAddress = (one: BaseTokenAccount, other: BaseTokenAccount): number =>
  Buffer.compare(one.address, other.address);

const accountsAt = async (view: ReadView, holders: readonly Holder[]): Promise<readonly unknown[]> => {
  const addresses = holders.map(({ tokenAccount }) => tokenAccount);
  const accounts = (await view.read(reads.accounts(addresses))) as readonly Account[];
  const bases = accounts.map(baseTokenAccount);
  expect(await view.read(reads.tokenAccounts(addresses))).toEqual(bases);
  return bases;
};

/** Makes the index from what the store has. */
const makeIndex = async ({ store }: StoreUnderTest): Promise<void> => {
  const { holders } = store;
  if (holders === undefined) throw new Error("the store cannot keep the index");
  await holders.begin();
  const states = await store.readAccountPage(null, 100);
  await holders.add(states.map(({ current }) => current));
  await holders.finish();
};

export const describeHolders = (create: CreateStore): void => {
  describe("token accounts of a mint", () => {
    test("are refused, and cost no row, until their index is made", () =>
      withStore(create, async (under) => {
        const held = { index: 1, mint: 0, amount: 1n, isClosed: false } as const;
        await under.store.commit(slotOf(1, { accounts: [writeOf(accountAt(1, held))] }));
        const list = {
          mint: mints[0],
          sort: "amount",
          direction: "desc",
          showsEmpty: true,
          limit: 1,
        } as const;
        const refused = { message: expect.stringContaining("the index that lamplight index add das makes") };
        await withView(under, async (view) => {
          await expect((async () => view.read(reads.holders(list)))()).rejects.toMatchObject(refused);
          await expect((async () => view.read(reads.holderCount(mints[0])))()).rejects.toMatchObject(refused);
          await expect((async () => view.read(reads.holderPage(list)))()).rejects.toMatchObject(refused);
        });
        expect(await under.store.checkIntegrity()).toEqual([]);
        expect(under.store.holders?.isKept).toBe(false);
        await makeIndex(under);
        expect(under.store.holders?.isKept).toBe(true);
        const [holder] = holdersIn(new Map([[1, held]]), 0);
        await withView(under, async (view) => expect(await view.read(reads.holders(list))).toEqual([holder]));
      }));

    test("are those of a model, in every order and page, however they changed before and after", () =>
      fc.assert(
        fc.asyncProperty(history, fc.nat(3), (commits, made) =>
          withStore(create, async (under) => {
            const model = new Map<number, Change>();
            for (const [at, changed] of commits.entries()) {
              if (at === made) await makeIndex(under);
              const accounts = changed.map((one) => writeOf(accountAt(at + 1, one)));
              await under.store.commit(slotOf(at + 1, { accounts }));
              for (const one of changed) model.set(one.index, one);
              if (at >= made) await withView(under, (view) => expectAll(view, model));
            }
            if (made >= commits.length) await makeIndex(under);
            await withView(under, (view) => expectAll(view, model));
            await expectAccounts(under, model);
            expect(await under.store.checkIntegrity()).toEqual([]);
          }),
        ),
        { numRuns: RUNS },
      ));

    test("are made again after a run that was stopped", () =>
      withStore(create, async (under) => {
        const held = { index: 1, mint: 0, amount: 5n, isClosed: false } as const;
        const before = accountAt(1, held);
        await under.store.commit(slotOf(1, { accounts: [writeOf(before)] }));
        await under.store.holders?.begin();
        await under.store.holders?.add([before]);
        const emptied = { ...held, amount: 0n };
        await under.store.commit(slotOf(2, { accounts: [writeOf(accountAt(2, emptied))] }));
        expect(await under.store.checkIntegrity()).toEqual([]);
        await makeIndex(under);
        await withView(under, (view) => expectAll(view, new Map([[1, emptied]])));
        expect(await under.store.checkIntegrity()).toEqual([]);
      }));

    test("are not changed by an older version", () =>
      withStore(create, async (under) => {
        const held = { index: 1, mint: 0, amount: 5n, isClosed: false } as const;
        await makeIndex(under);
        await under.store.commit(slotOf(3, { accounts: [writeOf(accountAt(3, held))] }));
        await under.store.commit(slotOf(4, { accounts: [writeOf(accountAt(2, { ...held, mint: 1 }))] }));
        await withView(under, (view) => expectAll(view, new Map([[1, held]])));
      }));
  });
};
