import { hash } from "node:crypto";
import { programAddresses } from "@lamplight/codecs";
import { type Account, baseTokenAccount, reads } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { accountOf, stateOf, tokenAccountOf, tombstoneOf, writeOf } from "../chain/accounts.ts";
import { addressBeside, addressOf, compareAddresses } from "../chain/addresses.ts";
import {
  askBoth,
  type CreateStore,
  slotOf,
  type StoreUnderTest,
  withStore,
  withView,
} from "../store-under-test.ts";

const delegate = addressOf("delegate");
const mints = [addressOf("mint 0"), addressOf("mint 1")] as const;
const programs = [programAddresses.token, programAddresses.token2022] as const;

const commit = async (under: StoreUnderTest, slot: number, accounts: readonly Account[]): Promise<void> => {
  await under.store.commit(slotOf(slot, { accounts: accounts.map((one) => writeOf(one)) }));
};

const list = (under: StoreUnderTest, tokenProgram: Uint8Array, mint: Uint8Array | null, of = delegate) =>
  withView(under, (view) => view.read(reads.moreDelegated({ delegate: of, tokenProgram, mint })));

const token = (
  name: string | number,
  parts: { mint?: Uint8Array; delegate?: Uint8Array | null; state?: number },
) => ({
  mint: parts.mint ?? mints[0],
  tokenOwner: addressOf(`wallet ${name}`),
  ...(parts.delegate === null ? {} : { delegate: parts.delegate ?? delegate }),
  state: parts.state ?? 1,
});

const tooMuchData = { code: "QUERY__OVER_BUDGET", message: expect.stringContaining("bytes of data") };

/** The account, of Token-2022, with so many bytes. */
const grown = (account: Account, bytes: number): Account => {
  const data = new Uint8Array(bytes);
  data.set(account.data);
  if (bytes > account.data.length) data[account.data.length] = 2;
  for (let at = 1 << 20; at < bytes; at += 1 << 12) data[at] = at >> 12;
  return { ...account, programOwner: programs[1], data };
};

/** A comparison of megabytes byte by byte takes seconds. */
const sumsOf = (accounts: readonly Account[]): readonly unknown[] =>
  accounts.map((account) => ({ ...account, data: hash("sha256", account.data) }));

export const describeDelegates = (create: CreateStore): void => {
  describe("accounts by delegate", () => {
    test("answers every match whole, ascending by address bytes, by program and mint", () =>
      withStore(create, async (under) => {
        const accounts = Array.from({ length: 60 }, (_, index) =>
          tokenAccountOf(index, token(index, { mint: mints[index % 2] as Uint8Array }), {
            programOwner: programs[index % 3 === 0 ? 1 : 0],
          }),
        );
        const beside = tokenAccountOf("beside", token("beside", {}), {
          address: addressBeside(addressOf(4), "x"),
        });
        await commit(under, 1, [...accounts, beside]);
        for (const program of programs) {
          for (const mint of [...mints, null]) {
            const expected = [...accounts, beside]
              .filter((one) => one.programOwner === program)
              .filter((one) => mint === null || compareAddresses(one.data.subarray(0, 32), mint) === 0)
              .toSorted((a, b) => compareAddresses(a.address, b.address));
            expect(await list(under, program, mint)).toEqual(expected);
          }
        }
      }));

    test("answers in pages what it answers at once, addresses that begin alike included", () =>
      withStore(create, async (under) => {
        const alone = Array.from({ length: 40 }, (_, index) =>
          tokenAccountOf(index, token(index, { mint: mints[index % 2] as Uint8Array })),
        );
        const alike = alone.slice(0, 12).flatMap(({ address }, index) =>
          ["x", "y"].map((name) =>
            tokenAccountOf(`${name} ${index}`, token(`${name} ${index}`, {}), {
              address: addressBeside(address, name),
            }),
          ),
        );
        await commit(under, 1, [...alone, ...alike]);
        await withView(under, async (view) => {
          for (const mint of [mints[0], null]) {
            const query = { delegate, tokenProgram: programs[0], mint };
            const all = await view.read(reads.moreDelegated(query));
            for (const limit of [1, 2, 3, 7, all.length - 1, all.length, all.length + 1]) {
              const paged: Account[] = [];
              for (let page: readonly Account[] | null = null; page === null || page.length === limit;) {
                const last = paged.at(-1)?.address;
                page = await view.read(
                  reads.moreDelegated({
                    ...query,
                    limit,
                    ...(last === undefined ? {} : { after: last }),
                  }),
                );
                expect(page.length).toBeLessThanOrEqual(limit);
                paged.push(...page);
              }
              expect(paged).toEqual(all);
            }
          }
        });
      }));

    test("reads large accounts among others, and refuses those that hold too much data together", () =>
      withStore(create, async (under) => {
        const [few, many] = [addressOf("few"), addressOf("many")];
        const sizes = { coded: 200_000, long: 9 << 20, longer: 10 << 20, short: 165 };
        const accounts = Object.entries(sizes).flatMap(([name, bytes]) => [
          grown(tokenAccountOf(name, token(name, { delegate: few })), bytes),
          grown(tokenAccountOf(`other ${name}`, token(name, { delegate: many })), bytes),
        ]);
        const mint = grown(accountOf("long mint", { address: mints[0] }), 14 << 20);
        const last = grown(tokenAccountOf("last", token("last", { delegate: many })), 14 << 20);
        await commit(under, 1, [...accounts, mint, last]);
        const ofFew = accounts.filter((one) => compareAddresses(one.data.subarray(76, 108), few) === 0);
        const found = await list(under, programs[1], null, few);
        expect(sumsOf(found)).toEqual(
          sumsOf(ofFew.toSorted((a, b) => compareAddresses(a.address, b.address))),
        );
        const by = { kind: "programId", address: programs[1] } as const;
        const withMints = reads.delegated({ delegate: few, by, limit: 100, withMints: true });
        await askBoth(under, withMints, (page) => {
          expect(sumsOf(page.accounts)).toEqual(sumsOf(found));
          expect(sumsOf(page.mints!)).toEqual(sumsOf([mint]));
        });
        await expect(list(under, programs[1], null, many)).rejects.toMatchObject(tooMuchData);
        await withView(under, async (view) => {
          const addresses = [...ofFew, last].map(({ address }) => address);
          const some = await view.read(reads.accounts(addresses.slice(0, -1)));
          expect(sumsOf(some as readonly Account[])).toEqual(sumsOf(ofFew));
          await expect((async () => view.read(reads.accounts(addresses)))()).rejects.toMatchObject(
            tooMuchData,
          );
          const bases = await view.read(reads.tokenAccounts(addresses));
          expect(bases).toEqual([...ofFew, last].map(baseTokenAccount));
        });
      }));

    test("counts a frozen account, an unknown state and an amount of zero", () =>
      withStore(create, async (under) => {
        await commit(under, 1, [
          tokenAccountOf("frozen", token("frozen", { state: 2 })),
          tokenAccountOf("odd", token("odd", { state: 7 })),
          tokenAccountOf("raw", token("raw", { state: 0 })),
        ]);
        expect(await list(under, programs[0], null)).toHaveLength(2);
      }));

    test("forgets a revoked, replaced or closed one", () =>
      withStore(create, async (under) => {
        const other = addressOf("other delegate");
        await commit(
          under,
          1,
          ["revoked", "replaced", "closed", "kept"].map((name) => tokenAccountOf(name, token(name, {}))),
        );
        expect(await list(under, programs[0], mints[0])).toHaveLength(4);
        await commit(under, 2, [
          tokenAccountOf("revoked", token("revoked", { delegate: null }), { slot: 2 }),
          tokenAccountOf("replaced", token("replaced", { delegate: other }), { slot: 2 }),
          tombstoneOf("closed", 2),
        ]);
        expect((await list(under, programs[0], mints[0])).map((one) => one.address)).toEqual([
          addressOf("kept"),
        ]);
        expect((await list(under, programs[0], null, other)).map((one) => one.address)).toEqual([
          addressOf("replaced"),
        ]);
        expect(await under.store.checkIntegrity()).toEqual([]);
      }));

    test("answers nothing for an unknown delegate, mint or program", () =>
      withStore(create, async (under) => {
        await commit(under, 1, [tokenAccountOf("one", token("one", {})), accountOf("wallet")]);
        expect(await list(under, programs[0], null, addressOf("nobody"))).toEqual([]);
        expect(await list(under, programs[0], addressOf("no mint"))).toEqual([]);
        expect(await list(under, addressOf("no program"), null)).toEqual([]);
        expect(await list(under, programs[1], null)).toEqual([]);
      }));

    test("keeps the answer right through states that are replaced while closed", () =>
      withStore(create, async (under) => {
        const life = tokenAccountOf("one", token("one", {}));
        await commit(under, 1, [life]);
        await under.store.commit(slotOf(2, { accounts: [writeOf(tombstoneOf("one", 2), life)] }));
        expect(await list(under, programs[0], null)).toEqual([]);
        expect(await under.store.readAccountStates([life.address])).toEqual([
          stateOf(tombstoneOf("one", 2), life),
        ]);
      }));
  });
};
