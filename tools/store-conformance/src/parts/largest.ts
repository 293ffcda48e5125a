import {
  type Account,
  deriveAccountFacts,
  isNonCirculatingAt,
  isNonCirculatingAccount,
  type LargestQuery,
  nonCirculatingAccounts,
  reads,
} from "@lamplight/core";
import { decodeAddress } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountOf, stakeAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressBeside, addressOf, addressText, compareAddresses } from "../chain/addresses.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

/** First of the listed withdraw authorities. */
const listedWithdrawer = decodeAddress("8CUUMKYNGxdgYio5CLHRHyzMEhhVRMcqefgE6dLqnVRK");
const noTime = { epoch: 0n, unixTimestamp: 0n };
const filters = ["all", "circulating", "nonCirculating"] as const;

const commit = async (under: StoreUnderTest, slot: number, accounts: readonly Account[]): Promise<void> => {
  await under.store.commit(slotOf(slot, { accounts: accounts.map((one) => writeOf(one)) }));
};

const list = (under: StoreUnderTest, query: Partial<LargestQuery>) =>
  withView(under, (view) => view.read(reads.largest({ filter: "all", limit: 20, clock: noTime, ...query })));

/** The port's sentence, as plain code over accounts. */
const largestOf = (accounts: readonly Account[], query: LargestQuery) =>
  accounts
    .filter((one) => one.lamports > 0n)
    .filter((one) => {
      const hold = deriveAccountFacts(one).nonCirculatingStake;
      const isOut =
        isNonCirculatingAccount(one.address) || (hold !== null && isNonCirculatingAt(hold, query.clock));
      return query.filter === "all" || isOut === (query.filter === "nonCirculating");
    })
    .toSorted((a, b) =>
      a.lamports === b.lamports ? compareAddresses(b.address, a.address) : a.lamports < b.lamports ? 1 : -1,
    )
    .slice(0, query.limit)
    .map(({ address, lamports }) => ({ address, lamports }));

export const describeLargest = (create: CreateStore): void => {
  describe("largest accounts", () => {
    test("are exact and falling, ties by address falling, at the edges of u64 too", () =>
      withStore(create, async (under) => {
        const lamports = [
          2n ** 64n - 1n,
          2n ** 63n,
          2n ** 63n - 1n,
          2n ** 53n + 1n,
          2n ** 53n,
          7n,
          7n,
          7n,
          7n,
          1n,
        ];
        const accounts = lamports.map((one, index) => accountOf(index, { lamports: one }));
        const beside = accountOf("beside", { address: addressBeside(addressOf(6), "x"), lamports: 7n });
        await commit(under, 1, [...accounts, beside]);
        for (const limit of [1, 7, 8, 20]) {
          const query = { filter: "all", limit, clock: noTime } as const;
          expect(await list(under, query)).toEqual(largestOf([...accounts, beside], query));
        }
      }));

    test("drop listed accounts and locked or listed stakes, by the clock that asks", () =>
      withStore(create, async (under) => {
        const accounts = [
          accountOf("plain", { lamports: 10n }),
          accountOf("listed", { address: nonCirculatingAccounts[3] as Uint8Array, lamports: 90n }),
          accountOf("listed too", { address: nonCirculatingAccounts[213] as Uint8Array, lamports: 5n }),
          accountOf("beside", {
            address: addressBeside(nonCirculatingAccounts[3] as Uint8Array, "x"),
            lamports: 60n,
          }),
          stakeAccountOf("until time", { lockupTimestamp: 1000n }, { lamports: 80n }),
          stakeAccountOf("until epoch", { lockupEpoch: 2n ** 64n - 1n }, { lamports: 70n }),
          stakeAccountOf("withdrawer", { withdrawer: listedWithdrawer }, { lamports: 50n }),
          stakeAccountOf("free", {}, { lamports: 40n }),
        ];
        await commit(under, 1, accounts);
        const clocks = [
          noTime,
          { epoch: 5n, unixTimestamp: 999n },
          { epoch: 5n, unixTimestamp: 1000n },
          { epoch: 2n ** 64n - 1n, unixTimestamp: 0n },
          { epoch: 2n ** 64n - 1n, unixTimestamp: 2n ** 62n },
        ];
        for (const clock of clocks) {
          for (const filter of filters) {
            const query = { filter, limit: 20, clock };
            expect(await list(under, query), `${filter} at ${clock.unixTimestamp}`).toEqual(
              largestOf(accounts, query),
            );
          }
        }
      }));

    test("finds a listed account whose prefix another one holds", () =>
      withStore(create, async (under) => {
        const listed = nonCirculatingAccounts[5] as Uint8Array;
        await commit(under, 1, [accountOf("first", { address: addressBeside(listed, "first") })]);
        await commit(under, 2, [accountOf("listed", { address: listed, lamports: 3n })]);
        expect(await list(under, { filter: "nonCirculating" })).toEqual([{ address: listed, lamports: 3n }]);
        expect(await list(under, { filter: "circulating" })).toHaveLength(1);
      }));

    test("forget a balance that fell and an account that was closed", () =>
      withStore(create, async (under) => {
        await commit(
          under,
          1,
          [1, 2, 3].map((name) => accountOf(name, { lamports: BigInt(name) * 100n })),
        );
        await commit(under, 2, [accountOf(3, { lamports: 1n, slot: 2 }), tombstoneOf(2, 2)]);
        expect(await list(under, {})).toEqual([
          { address: addressOf(1), lamports: 100n },
          { address: addressOf(3), lamports: 1n },
        ]);
      }));

    test("equal the sorted accounts through any writes", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(writesOfSlot, { minLength: 1, maxLength: 6 }),
          clocks,
          async (slots, clock) => {
            await withStore(create, async (under) => {
              const newest = new Map<string, Account>();
              for (const [index, writes] of slots.entries()) {
                const accounts = writes.map((one) => ({ ...one, slot: index + 1 }));
                await commit(under, index + 1, accounts);
                for (const account of accounts) newest.set(addressText(account.address), account);
                for (const filter of filters) {
                  for (const limit of [3, 20]) {
                    const query = { filter, limit, clock };
                    expect(await list(under, query)).toEqual(largestOf([...newest.values()], query));
                  }
                }
              }
              expect(await under.store.checkIntegrity()).toEqual([]);
            });
          },
        ),
        { numRuns: 20 },
      );
    });
  });
};

const clocks = fc.record({
  epoch: fc.bigInt({ min: 0n, max: 6n }),
  unixTimestamp: fc.bigInt({ min: 0n, max: 6n }),
});

/** Few balances, so that ties are common; some accounts listed, some stakes, some closed. */
const writesOfSlot: fc.Arbitrary<readonly Account[]> = fc
  .uniqueArray(
    fc.record({
      which: fc.nat({ max: 60 }),
      lamports: fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      lockupTimestamp: fc.bigInt({ min: 0n, max: 6n }),
      lockupEpoch: fc.bigInt({ min: 0n, max: 6n }),
      isListed: fc.boolean(),
    }),
    { selector: (one) => one.which, maxLength: 60 },
  )
  .map((writes) =>
    writes.map(({ which, lamports, lockupTimestamp, lockupEpoch, isListed }) => {
      if (which % 3 === 0) {
        return stakeAccountOf(
          which,
          { lockupTimestamp, lockupEpoch, withdrawer: isListed ? listedWithdrawer : addressOf("w") },
          { lamports },
        );
      }
      const listed = { address: nonCirculatingAccounts[which] as Uint8Array };
      return accountOf(which, { lamports, ...(which % 3 === 1 ? listed : {}) });
    }),
  );
