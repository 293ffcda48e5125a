import { programAddresses, sysvarAddresses } from "@lamplight/codecs";
import { type Account, type AccountState, isOlderVersion, reads } from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountOf, stateOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressBeside, addressOf, addressText, compareAddresses } from "../chain/addresses.ts";
import { type CreateStore, slotOf, type StoreUnderTest, withStore, withView } from "../store-under-test.ts";

const u64Edges = [1n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n];

export const describeAccounts = (create: CreateStore): void => {
  describe("accounts", () => {
    describeRoundTrips(create);
    describeVersions(create);
    describeCollisions(create);
    describePages(create);
  });
};

const find = (under: StoreUnderTest, address: Uint8Array): Promise<Account | null> =>
  withView(under, (view) => view.read(reads.account(address)));

const commitAccounts = async (
  under: StoreUnderTest,
  slot: number,
  ...states: AccountState[]
): Promise<void> => {
  await under.store.commit(
    slotOf(slot, { accounts: states.map((one) => writeOf(one.current, one.lastLife)) }),
  );
};

const describeRoundTrips = (create: CreateStore): void => {
  test("answers null for an unknown address", () =>
    withStore(create, async (under) => {
      await commitAccounts(under, 1, stateOf(accountOf("known")));
      expect(await find(under, addressOf("unknown"))).toBeNull();
      expect(await under.store.readAccountStates([addressOf("unknown")])).toEqual([null]);
    }));

  test("gives every field back exactly, at the edges of u64 too", () =>
    withStore(create, async (under) => {
      const accounts = u64Edges.map((edge, index) =>
        accountOf(`edge ${index}`, {
          lamports: edge,
          rentEpoch: edge - 1n,
          executable: index % 2 === 0,
          slot: 2 ** 53 - 1 - index,
          writeVersion: 2 ** 53 - 1,
          data: Uint8Array.of(index),
        }),
      );
      await commitAccounts(under, 1, ...accounts.map((one) => stateOf(one)));
      for (const account of accounts) expect(await find(under, account.address)).toEqual(account);
    }));

  test("gives arbitrary data back, zeros and large accounts included", () =>
    withStore(create, async (under) => {
      const datas = [
        new Uint8Array(0),
        new Uint8Array(1),
        new Uint8Array(100_000),
        Uint8Array.from({ length: 100_000 }, (_, index) => (index % 300 < 200 ? 0 : index & 255)),
        Uint8Array.from({ length: 5000 }, (_, index) => (index * 31) & 255),
      ];
      await commitAccounts(under, 1, ...datas.map((data, index) => stateOf(accountOf(index, { data }))));
      for (const [index, data] of datas.entries()) {
        expect((await find(under, addressOf(index)))?.data).toEqual(data);
      }
    }));

  test("hands out data that is safe to keep", () =>
    withStore(create, async (under) => {
      const data = Uint8Array.from({ length: 400 }, (_, index) => (index < 300 ? 0 : index & 255));
      await commitAccounts(under, 1, stateOf(accountOf("kept", { data })));
      const first = await find(under, addressOf("kept"));
      first?.data.fill(255);
      expect((await find(under, addressOf("kept")))?.data).toEqual(data);
    }));

  test("answers a set of accounts in the order asked, repeats and missing ones included", () =>
    withStore(create, async (under) => {
      const [a, b] = [accountOf("a"), accountOf("b", { data: new Uint8Array(500).fill(7, 400) })];
      const gone = accountOf("gone", { slot: 1 });
      await commitAccounts(under, 1, stateOf(a), stateOf(b), stateOf(gone));
      await commitAccounts(under, 2, stateOf(tombstoneOf("gone", 2), gone));
      const findAll = (addresses: readonly Uint8Array[]) =>
        withView(under, (view) => view.read(reads.accounts(addresses)));
      expect(await findAll([b.address, gone.address, addressOf("c"), a.address, b.address])).toEqual([
        b,
        null,
        null,
        a,
        b,
      ]);
      expect(await findAll([])).toEqual([]);
    }));

  test("answers states in the order asked, repeats included", () =>
    withStore(create, async (under) => {
      const [a, b] = [accountOf("a"), accountOf("b")];
      await commitAccounts(under, 1, stateOf(a), stateOf(b));
      const states = await under.store.readAccountStates([b.address, addressOf("c"), a.address, b.address]);
      expect(states).toEqual([stateOf(b), null, stateOf(a), stateOf(b)]);
    }));
};

const versionOf = (slot: number, writeVersion: number, lamports: bigint): AccountState =>
  stateOf(accountOf("one", { slot, writeVersion, lamports }));

const describeVersions = (create: CreateStore): void => {
  test("skips an older version and lets an equal one replace", () =>
    withStore(create, async (under) => {
      const lamportsAfter = async (state: AccountState) => {
        await commitAccounts(under, 1, state);
        return (await find(under, addressOf("one")))?.lamports;
      };
      expect(await lamportsAfter(versionOf(5, 7, 57n))).toBe(57n);
      expect(await lamportsAfter(versionOf(5, 6, 56n))).toBe(57n);
      expect(await lamportsAfter(versionOf(4, 9, 49n))).toBe(57n);
      expect(await lamportsAfter(versionOf(5, 7, 570n))).toBe(570n);
      expect(await lamportsAfter(versionOf(5, 8, 58n))).toBe(58n);
      expect(await lamportsAfter(versionOf(6, 0, 60n))).toBe(60n);
    }));

  test("keeps a closing and its last life, and no reader sees the account", () =>
    withStore(create, async (under) => {
      const life = accountOf("one", { slot: 3, data: new Uint8Array(200).fill(1, 150) });
      const closed = tombstoneOf("one", 5, { writeVersion: 2 });
      await commitAccounts(under, 3, stateOf(life));
      await commitAccounts(under, 5, stateOf(closed, life));
      expect(await find(under, life.address)).toBeNull();
      expect(await under.store.readAccountStates([life.address])).toEqual([stateOf(closed, life)]);
      await commitAccounts(under, 6, stateOf(closed, null));
      expect(await under.store.readAccountStates([life.address])).toEqual([stateOf(closed)]);
    }));

  test("knows which accounts are closed, beside one with the same first bytes too", () =>
    withStore(create, async (under) => {
      const address = addressBeside(addressOf("one"), "twin");
      const isClosed = (of: Uint8Array) => withView(under, (view) => view.read(reads.isClosed(of)));
      const expectClosed = async (one: boolean, twin: boolean): Promise<void> => {
        expect([await isClosed(addressOf("one")), await isClosed(address)]).toEqual([one, twin]);
        expect(await isClosed(addressOf("unknown"))).toBe(false);
      };
      await commitAccounts(under, 3, stateOf(accountOf("one", { slot: 3 })));
      await expectClosed(false, false);
      // An account that was never seen alive.
      await commitAccounts(under, 4, stateOf(tombstoneOf("twin", 4, { address })));
      await expectClosed(false, true);
      await commitAccounts(under, 5, stateOf(tombstoneOf("one", 5)));
      await expectClosed(true, true);
      await commitAccounts(under, 6, stateOf(accountOf("twin", { address, slot: 6 })));
      await expectClosed(true, false);
    }));

  test("keeps the last life of an account that was emptied but lives, until it is reported otherwise", () =>
    withStore(create, async (under) => {
      const address = addressBeside(addressOf("full"), "husk");
      const life = accountOf("husk", { address, slot: 3, data: new Uint8Array(200).fill(7, 20) });
      const emptied = accountOf("husk", { address, slot: 5, data: Uint8Array.of(0) });
      const read = () => under.store.readAccountStates([address]);
      await commitAccounts(under, 3, stateOf(accountOf("full")), stateOf(life));
      await commitAccounts(under, 5, stateOf(emptied, life));
      expect(await find(under, address)).toEqual(emptied);
      expect(await read()).toEqual([stateOf(emptied, life)]);
      expect(await under.store.readAccountPage(addressOf("full"), 1)).toEqual([stateOf(emptied, life)]);
      await commitAccounts(under, 6, stateOf({ ...emptied, slot: 4 }));
      expect(await read()).toEqual([stateOf(emptied, life)]);
      const closed = tombstoneOf("husk", 7, { address });
      await commitAccounts(under, 7, stateOf(closed, life));
      expect(await read()).toEqual([stateOf(closed, life)]);
      const reborn = { ...life, slot: 8 };
      await commitAccounts(under, 8, stateOf(reborn));
      expect(await read()).toEqual([stateOf(reborn)]);
      expect(await under.store.checkIntegrity()).toEqual([]);
    }));

  test("a closing guards against older versions, and a newer life ends it", () =>
    withStore(create, async (under) => {
      const closed = tombstoneOf("one", 5);
      await commitAccounts(under, 5, stateOf(closed));
      await commitAccounts(under, 6, stateOf(accountOf("one", { slot: 4 })));
      expect(await under.store.readAccountStates([closed.address])).toEqual([stateOf(closed)]);
      const reborn = accountOf("one", { slot: 7 });
      await commitAccounts(under, 7, stateOf(reborn));
      expect(await under.store.readAccountStates([closed.address])).toEqual([stateOf(reborn)]);
      await commitAccounts(under, 8, stateOf(tombstoneOf("one", 6)));
      expect(await under.store.readAccountStates([closed.address])).toEqual([stateOf(reborn)]);
    }));

  test("ends in the same state after shuffled replays", async () => {
    await fc.assert(
      fc.asyncProperty(versionsOfFew, async (versions) => {
        await withStore(create, async (under) => {
          for (const [index, version] of versions.entries())
            await commitAccounts(under, index, stateOf(version));
          const expected = newestOfEach(versions);
          const states = await under.store.readAccountStates(expected.map((one) => one.address));
          expect(states.map((state) => state?.current)).toEqual(expected);
          expect(await under.store.checkIntegrity()).toEqual([]);
        });
      }),
      { numRuns: 25 },
    );
  });
};

/** Versions of a few colliding accounts in any order, some twice, some closings. */
const versionsOfFew: fc.Arbitrary<readonly Account[]> = fc
  .uniqueArray(
    fc.record({
      which: fc.nat({ max: 3 }),
      slot: fc.nat({ max: 6 }),
      writeVersion: fc.nat({ max: 1 }),
      closed: fc.boolean(),
    }),
    { selector: (one) => `${one.which}/${one.slot}/${one.writeVersion}`, minLength: 1, maxLength: 24 },
  )
  .map((versions) =>
    versions.map(({ which, slot, writeVersion, closed }) => {
      const address = addressBeside(addressOf("few"), which);
      const account = accountOf(which, {
        address,
        slot,
        writeVersion,
        lamports: BigInt(which * 100 + slot + 1),
      });
      return closed ? { ...account, lamports: 0n } : account;
    }),
  )
  .chain((versions) =>
    fc
      .array(fc.nat({ max: versions.length - 1 }), { maxLength: 12 })
      .map((again) => [...versions, ...again.map((index) => versions[index] as Account)]),
  );

const newestOfEach = (versions: readonly Account[]): readonly Account[] => {
  const newest = new Map<string, Account>();
  for (const version of versions) {
    const known = newest.get(addressText(version.address));
    if (known === undefined || !isOlderVersion(version, known))
      newest.set(addressText(version.address), version);
  }
  return [...newest.values()];
};

const describeCollisions = (create: CreateStore): void => {
  const pairs = [
    [sysvarAddresses.slotHashes, sysvarAddresses.slotHistory],
    [sysvarAddresses.epochSchedule, sysvarAddresses.epochRewards],
  ] as const;

  test("keeps addresses apart that share their first eight bytes", () =>
    withStore(create, async (under) => {
      const accounts = pairs
        .flat()
        .map((address, index) =>
          accountOf(index, { address, programOwner: programAddresses.sysvar, data: Uint8Array.of(index) }),
        );
      await commitAccounts(under, 1, ...accounts.map((one) => stateOf(one)));
      for (const account of accounts) expect(await find(under, account.address)).toEqual(account);
      expect(await find(under, addressBeside(sysvarAddresses.slotHashes, "third"))).toBeNull();
      expect(await under.store.checkIntegrity()).toEqual([]);
    }));

  test("finds the others after one of them is closed", () =>
    withStore(create, async (under) => {
      const accounts = [0, 1, 2].map((which) =>
        accountOf(which, { address: addressBeside(addressOf("prefix"), which), lamports: BigInt(which + 1) }),
      );
      for (const first of accounts) {
        await commitAccounts(
          under,
          1,
          ...accounts.map((one) => stateOf({ ...one, slot: Number(first.lamports) * 10 })),
        );
        await commitAccounts(
          under,
          1,
          stateOf({ ...first, lamports: 0n, slot: Number(first.lamports) * 10 + 1 }),
        );
        for (const account of accounts) {
          const lamports = (await find(under, account.address))?.lamports ?? null;
          expect(lamports).toBe(account === first ? null : account.lamports);
        }
        expect(await under.store.checkIntegrity()).toEqual([]);
      }
    }));
};

const byAddress = (a: AccountState, b: AccountState): number =>
  compareAddresses(a.current.address, b.current.address);

const describePages = (create: CreateStore): void => {
  test("pages over every account and closing, each once, whatever the page", () =>
    withStore(create, async (under) => {
      const living = Array.from({ length: 20 }, (_, index) => stateOf(accountOf(index)));
      const colliding = [0, 1, 2].map((which) =>
        stateOf(accountOf(which, { address: addressBeside(addressOf(3), `beside ${which}`) })),
      );
      const life = accountOf("gone");
      const closed = stateOf(tombstoneOf("gone", 2), life);
      const closedBeside = stateOf(tombstoneOf("x", 2, { address: addressBeside(addressOf(3), "gone") }));
      const all = [...living, ...colliding, closed, closedBeside];
      await commitAccounts(under, 2, ...all);
      for (const limit of [1, 3, 7, 100]) {
        const found: AccountState[] = [];
        for (let steps = 0; steps <= all.length; steps += 1) {
          const after = found.at(-1)?.current.address ?? null;
          const page = await under.store.readAccountPage(after, limit);
          if (page.length === 0) break;
          expect(page.length).toBeLessThanOrEqual(limit);
          found.push(...page);
        }
        expect(found.toSorted(byAddress)).toEqual(all.toSorted(byAddress));
      }
    }));
};
