// Tests of the token accounts of a mint without their wallet.

import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { expect, test } from "vitest";
import { type Ask, filtered, key, tokenAccount, whole, withStore } from "../test/token-store.ts";
import { HOLDERS_SKIPPED_MAX } from "./das-limits.ts";

const [sand, salt] = [key(2), key(3)];
const mintAddress = encodeAddress(sand);
const U64_MAX = 2n ** 64n - 1n;
/** Token accounts of several wallets; one of another mint is between them. */
const accounts: readonly Account[] = [
  [10, 0n],
  [20, 1n],
  [30, 7n],
  [40, 7n],
  [50, U64_MAX],
]
  .map(([number, amount]) =>
    tokenAccount(key(Number(number)), {
      mint: sand,
      amount: BigInt(amount!),
      owner: key(60 + Number(number)),
    }),
  )
  .concat(tokenAccount(key(35), { mint: salt, amount: 3n }));

const kept = { coverage: whole, holders: true };
const amountOrder = { sortBy: "amount" } as const;
const showsEmpty = { showZeroBalance: true };

interface Page {
  readonly total: number;
  readonly page?: number;
  readonly cursor?: string;
  readonly token_accounts: readonly { readonly address: string; readonly amount: number | bigint }[];
}

const pageOf = async (ask: Ask, params: object): Promise<Page> =>
  (await ask("getTokenAccounts", { mintAddress, ...params })) as Page;

const numberOf = new Map(accounts.map(({ address }, index) => [encodeAddress(address), 10 * (index + 1)]));

/** The numbers of the accounts on a page. */
const numbers = async (ask: Ask, params: object): Promise<readonly unknown[]> =>
  (await pageOf(ask, params)).token_accounts.map(({ address }) => numberOf.get(address));

test("are sorted by address or by amount, in both directions, with exact amounts and totals", () =>
  withStore(accounts, kept, async (ask) => {
    expect(await numbers(ask, {})).toEqual([20, 30, 40, 50]);
    expect(await numbers(ask, { sortBy: { sortDirection: "desc" } })).toEqual([50, 40, 30, 20]);
    expect(await numbers(ask, { sortBy: { sortBy: "id" }, options: showsEmpty })).toEqual([
      10, 20, 30, 40, 50,
    ]);
    const largest = await pageOf(ask, { sortBy: amountOrder });
    expect(largest).toMatchObject({ total: 4, limit: 1000, page: 1, errors: [] });
    expect(largest.token_accounts.map(({ amount }) => amount)).toEqual([U64_MAX, 7, 7, 1]);
    expect(await numbers(ask, { sortBy: amountOrder })).toEqual([50, 40, 30, 20]);
    const smallest = { sortBy: { ...amountOrder, sortDirection: "asc" } };
    expect(await numbers(ask, smallest)).toEqual([20, 30, 40, 50]);
    expect(await numbers(ask, { ...smallest, options: showsEmpty })).toEqual([10, 20, 30, 40, 50]);
    expect(await pageOf(ask, { options: showsEmpty })).toMatchObject({ total: 5 });
    const ofSalt = await ask("getTokenAccounts", { mint: encodeAddress(salt) });
    expect(ofSalt).toMatchObject({ total: 1, token_accounts: [{ amount: 3 }] });
    const ofNone = await ask("getTokenAccounts", { mint: encodeAddress(key(99)) });
    expect(ofNone).toEqual({ total: 0, limit: 1000, page: 1, token_accounts: [], errors: [] });
  }));

test.each([
  ["by address", {}, [20, 30, 40, 50]],
  ["by address, empty ones too", { options: showsEmpty }, [10, 20, 30, 40, 50]],
  ["by amount", { sortBy: amountOrder }, [50, 40, 30, 20]],
  ["by amount, empty ones too", { sortBy: amountOrder, options: showsEmpty }, [50, 40, 30, 20, 10]],
])("pages %s are the same by number, cursor, after and before", (_, list, all) =>
  withStore(accounts, kept, async (ask) => {
    let cursor: string | undefined;
    for (let from = 0; from < all.length; from += 2) {
      const shown = all.slice(from, from + 2);
      const page = from / 2 + 1;
      const asked = { ...list, limit: 2 };
      const byNumber = await pageOf(ask, { ...asked, page });
      expect(byNumber).toMatchObject({ total: all.length, page });
      expect(await numbers(ask, { ...asked, page })).toEqual(shown);
      if (cursor !== undefined) {
        expect(await numbers(ask, { ...asked, cursor })).toEqual(shown);
        const after = encodeAddress(key(all[from - 1]!));
        const behind = await pageOf(ask, { ...asked, after });
        expect(behind).toEqual({ ...byNumber, page: undefined });
      }
      const next = all[from + 2];
      if (next !== undefined)
        expect(await numbers(ask, { ...asked, before: encodeAddress(key(next)) })).toEqual(shown);
      ({ cursor } = byNumber);
      expect(cursor === undefined).toBe(next === undefined);
    }
    const before = encodeAddress(key(all[0]!));
    expect(await pageOf(ask, { ...list, before })).toEqual({
      total: all.length,
      limit: 1000,
      token_accounts: [],
      errors: [],
    });
    expect(await numbers(ask, { ...list, limit: 2, page: 9 })).toEqual([]);
  }),
);

test("a page by address follows an account that is gone, one by amount names the parameter", () =>
  withStore(accounts, kept, async (ask) => {
    const [gone, other] = [encodeAddress(key(25)), encodeAddress(key(35))];
    expect(await numbers(ask, { after: gone })).toEqual([30, 40, 50]);
    expect(await numbers(ask, { before: gone })).toEqual([20]);
    for (const [parameter, value] of [
      ["after", gone],
      ["before", other],
      ["cursor", "7"],
      ["cursor", `${2n ** 64n}.${gone}`],
      ["cursor", "7.x"],
    ] as const)
      await expect(pageOf(ask, { sortBy: amountOrder, [parameter]: value })).rejects.toMatchObject({
        code: expect.stringContaining("PARAM__"),
        context: expect.objectContaining({ parameter }),
      });
    // A cursor holds its amount, so it stays where it was while balances change.
    expect(await numbers(ask, { sortBy: amountOrder, cursor: `6.${gone}` })).toEqual([20]);
  }));

test("an order of a wallet, and a call without mint and wallet, are refused by name", () =>
  withStore(accounts, kept, async (ask) => {
    const ofWallet = { ownerAddress: mintAddress, sortBy: amountOrder };
    await expect(ask("getTokenAccounts", ofWallet)).rejects.toThrow(
      "sortBy is for the token accounts of a mint",
    );
    await expect(ask("getTokenAccounts", {})).rejects.toThrow("ownerAddress is required, or a mintAddress");
  }));

test("a page behind as many as are skipped is answered, one behind more needs a cursor", async () => {
  const many = Array.from({ length: HOLDERS_SKIPPED_MAX + 1000 }, (_, index) =>
    tokenAccount(key(100 + index), { mint: sand, amount: BigInt(1 + (index % 1000)) }),
  );
  await withStore(many, kept, async (ask) => {
    const page = HOLDERS_SKIPPED_MAX / 1000 + 1;
    const deepest = await pageOf(ask, { limit: 1000, page });
    expect(deepest).toMatchObject({ total: many.length, page });
    expect(deepest.token_accounts.at(-1)).toMatchObject({ address: encodeAddress(many.at(-1)!.address) });
    const behind = { limit: 999, page: page + 1 };
    await expect(pageOf(ask, behind)).rejects.toThrow(
      `page ${page + 1} lies behind more than ${HOLDERS_SKIPPED_MAX} token accounts; cheaper: the cursor of the page before it`,
    );
    expect((await pageOf(ask, { limit: 1000, page: page + 1 })).token_accounts).toEqual([]);
  });
});

test("a store of a part of the chain answers mints that it holds as a whole, and refuses the rest", async () => {
  const token = encodeAddress(programAddresses.token);
  const token2022 = encodeAddress(programAddresses.token2022);
  for (const [coverage, isAnswered] of [
    [filtered({ programs: [token] }), false],
    [filtered({ programs: [token, token2022] }), true],
    [filtered({ owners: [mintAddress] }), false],
    [filtered({ mints: [mintAddress] }), true],
  ] as const)
    await withStore(accounts, { coverage, holders: true }, async (ask) => {
      for (const start of [
        {},
        { page: 2, limit: 1 },
        { after: encodeAddress(key(20)), sortBy: amountOrder },
      ]) {
        const answer = pageOf(ask, start);
        if (isAnswered) expect(await answer).toMatchObject({ total: 4 });
        else await expect(answer).rejects.toThrow(`token accounts of mint ${mintAddress}`);
      }
      await expect(pageOf(ask, { after: encodeAddress(key(35)), sortBy: amountOrder })).rejects.toThrow(
        isAnswered ? "is no token account of the mint" : `token accounts of mint ${mintAddress}`,
      );
    });
});

test("a store without the index refuses, also one without that of holdings; with the index it needs no other", async () => {
  for (const holdings of [true, false]) {
    await withStore(accounts, { coverage: whole, holdings }, async (ask) => {
      await expect(pageOf(ask, {})).rejects.toMatchObject({
        code: "STORE__NOT_COVERED",
        message: expect.stringContaining("the index that lamplight index add das makes"),
      });
    });
    await withStore(accounts, { coverage: whole, holdings, holders: true }, async (ask) => {
      expect(await pageOf(ask, {})).toMatchObject({ total: 4 });
    });
  }
});
