// Tests of what the sample chain does not have: a large wallet, a part of the chain, and a store without holdings.

import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { filtered, key, tokenAccount, wallet, whole, withStore } from "../test/token-store.ts";
import { WALLET_ACCOUNTS_MAX } from "./das-limits.ts";

const [sand, salt] = [key(2), key(3)];
const ownerAddress = encodeAddress(wallet);

test("a wallet with as many token accounts as are listed is listed, and one with more must name a mint", async () => {
  const few = [
    tokenAccount(key(10), { mint: salt, amount: 1n }),
    tokenAccount(key(11), { mint: salt, amount: 0n }),
  ];
  const many = Array.from({ length: WALLET_ACCOUNTS_MAX - few.length }, (_, index) =>
    tokenAccount(key(100 + index), { mint: sand, amount: 1n }),
  );
  await withStore([...few, ...many], { coverage: whole }, async (ask) => {
    expect(await ask("getTokenAccounts", { ownerAddress, limit: 1 })).toMatchObject({
      total: WALLET_ACCOUNTS_MAX - 1,
      token_accounts: [{ address: encodeAddress(key(10)) }],
    });
    const options = { showZeroBalance: true };
    expect(await ask("getTokenAccounts", { ownerAddress, limit: 1, options })).toMatchObject({
      total: WALLET_ACCOUNTS_MAX,
    });
  });
  const oneMore = tokenAccount(key(1_000_000), { mint: sand, amount: 1n });
  await withStore([...few, ...many, oneMore], { coverage: whole }, async (ask) => {
    await expect(ask("getTokenAccounts", { ownerAddress, limit: 1 })).rejects.toThrow(
      `the wallet has more than ${WALLET_ACCOUNTS_MAX} token accounts; cheaper: name a mintAddress of which the wallet has fewer`,
    );
    const ofMint = { ownerAddress, mintAddress: encodeAddress(salt) };
    expect(await ask("getTokenAccounts", ofMint)).toMatchObject({
      total: 1,
      token_accounts: [{ amount: 1 }],
    });
  });
});

test("amounts are exact, and a delegate that was revoked moves nothing", async () => {
  const most = 2n ** 64n - 1n;
  const accounts = [
    tokenAccount(key(10), { mint: sand, amount: most, delegate: key(7), delegatedAmount: most }),
    tokenAccount(key(11), { mint: sand, amount: 5n, delegatedAmount: 5n }),
  ];
  await withStore(accounts, { coverage: whole }, async (ask) => {
    const base = { mint: encodeAddress(sand), owner: ownerAddress, frozen: false, close_authority: null };
    expect(await ask("getTokenAccounts", { owner: ownerAddress })).toEqual({
      total: 2,
      limit: 1000,
      errors: [],
      page: 1,
      token_accounts: [
        {
          ...base,
          address: encodeAddress(key(10)),
          amount: most,
          delegated_amount: most,
          delegate: encodeAddress(key(7)),
        },
        { ...base, address: encodeAddress(key(11)), amount: 5, delegated_amount: 0, delegate: null },
      ],
    });
  });
});

test("a page follows a token account that is gone, and the page before the first is empty", async () => {
  const accounts = [10, 20, 30].map((number) => tokenAccount(key(number), { mint: sand, amount: 1n }));
  await withStore(accounts, { coverage: whole }, async (ask) => {
    const page = async (start: object) => {
      const answer = await ask("getTokenAccounts", { ownerAddress, limit: 2, ...start });
      return (answer as { token_accounts: { address: string }[] }).token_accounts.map(
        ({ address }) => address,
      );
    };
    const [first, second, third] = accounts.map(({ address }) => encodeAddress(address));
    expect(await page({ after: encodeAddress(key(15)) })).toEqual([second, third]);
    expect(await page({ before: encodeAddress(key(25)) })).toEqual([first, second]);
    expect(await page({ before: first })).toEqual([]);
    expect(await page({ page: 2 })).toEqual([third]);
    expect(await page({ page: 3 })).toEqual([]);
  });
});

test("a store of a part of the chain answers what it holds as a whole, and refuses the rest", async () => {
  const accounts = [tokenAccount(key(10), { mint: sand, amount: 1n })];
  const asked = { ownerAddress };
  const ofMint = { ...asked, mintAddress: encodeAddress(sand) };
  const token = encodeAddress(programAddresses.token);
  const token2022 = encodeAddress(programAddresses.token2022);
  for (const [coverage, wholeWallet, oneMint] of [
    [filtered({ programs: [token] }), false, false],
    [filtered({ programs: [token, token2022] }), true, true],
    [filtered({ owners: [ownerAddress] }), true, true],
    [filtered({ mints: [encodeAddress(sand)] }), false, true],
  ] as const)
    await withStore(accounts, { coverage }, async (ask) => {
      const answers = [ask("getTokenAccounts", asked), ask("getTokenAccounts", ofMint)];
      const isAnswered = await Promise.all(answers.map((one) => one.then(() => true).catch(() => false)));
      expect(isAnswered).toEqual([wholeWallet, oneMint]);
    });
  await withStore(accounts, { coverage: filtered({ programs: [token] }) }, async (ask) => {
    await expect(ask("getTokenAccounts", asked)).rejects.toMatchObject({ code: "STORE__NOT_COVERED" });
    await expect(ask("getAssets", { ids: [encodeAddress(key(5))] })).rejects.toMatchObject({
      code: "STORE__NOT_COVERED",
    });
  });
});

test("a store without the index of holdings refuses", async () => {
  const accounts = [tokenAccount(key(10), { mint: sand, amount: 1n })];
  await withStore(accounts, { coverage: whole, holdings: false }, async (ask) => {
    for (const more of [{}, { mintAddress: encodeAddress(sand) }])
      await expect(ask("getTokenAccounts", { ownerAddress, ...more })).rejects.toMatchObject({
        code: "STORE__NOT_COVERED",
      });
  });
});
