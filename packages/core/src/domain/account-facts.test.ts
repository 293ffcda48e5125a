import { decodeAddress, programAddresses } from "@lamplight/codecs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Account } from "./account.ts";
import { deriveAccountFacts, noAccountFacts } from "./account-facts.ts";
import { isNonCirculatingAt, isListedWithdrawer, isNonCirculatingAccount } from "./non-circulating.ts";
import { listedWithdrawerTexts, nonCirculatingAccountTexts } from "./non-circulating-lists.ts";

const address = new Uint8Array(32).fill(9);
const mint = new Uint8Array(32).fill(1);
const wallet = new Uint8Array(32).fill(2);
const delegate = new Uint8Array(32).fill(3);

const accountOf = (programOwner: Uint8Array, data: Uint8Array, lamports = 1n): Account => ({
  address,
  programOwner,
  lamports,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: 1,
  writeVersion: 0,
});

const tokenData = (length = 165): Uint8Array => {
  const data = new Uint8Array(length);
  data.set(mint, 0);
  data.set(wallet, 32);
  data[72] = 1;
  data.set(delegate, 76);
  data[108] = 1;
  if (length > 165) data[165] = 2;
  return data;
};

const changed = (data: Uint8Array, offset: number, byte: number): Uint8Array => {
  const copy = Uint8Array.from(data);
  copy[offset] = byte;
  return copy;
};

const stakeData = (tag: number, lockup: { timestamp?: bigint; epoch?: bigint } = {}): Uint8Array => {
  const data = new Uint8Array(200);
  data[0] = tag;
  const view = new DataView(data.buffer);
  view.setBigInt64(76, lockup.timestamp ?? 0n, true);
  view.setBigUint64(84, lockup.epoch ?? 0n, true);
  return data;
};

const listedWithdrawer = decodeAddress(listedWithdrawerTexts[0] as string);

describe("deriveAccountFacts of token accounts", () => {
  test("names delegate, mint and an empty holding", () => {
    for (const program of [programAddresses.token, programAddresses.token2022]) {
      expect(deriveAccountFacts(accountOf(program, tokenData()))).toEqual({
        delegate,
        delegateMint: mint,
        holding: { tokenAccount: address, tokenOwner: wallet, mint, positive: false },
        nonCirculatingStake: null,
      });
    }
  });

  test("counts a holding as positive from one raw unit on, in the highest byte too", () => {
    for (const offset of [64, 71]) {
      const facts = deriveAccountFacts(accountOf(programAddresses.token, changed(tokenData(), offset, 1)));
      expect(facts.holding?.positive).toBe(true);
    }
  });

  test("sees no delegate unless the option tag is exactly 1,0,0,0", () => {
    for (const data of [
      changed(tokenData(), 72, 0),
      changed(tokenData(), 72, 2),
      changed(tokenData(), 73, 1),
      changed(tokenData(), 75, 1),
    ]) {
      expect(deriveAccountFacts(accountOf(programAddresses.token, data)).delegate).toBeNull();
    }
  });

  test("keeps the delegate of a state that no decoder knows, but not its holding", () => {
    const facts = deriveAccountFacts(accountOf(programAddresses.token, changed(tokenData(), 108, 3)));
    expect(facts.delegate).toEqual(delegate);
    expect(facts.holding).toBeNull();
  });

  test("passes over uninitialized accounts, multisig sizes, mints, other programs and closed accounts", () => {
    const nothing = [
      accountOf(programAddresses.token, changed(tokenData(), 108, 0)),
      accountOf(programAddresses.token, tokenData(355)),
      accountOf(programAddresses.token, changed(tokenData(170), 165, 1)),
      accountOf(programAddresses.token, tokenData().subarray(0, 164)),
      accountOf(programAddresses.system, tokenData()),
      accountOf(programAddresses.token, tokenData(), 0n),
    ];
    for (const account of nothing) expect(deriveAccountFacts(account)).toEqual(noAccountFacts);
  });

  test("reads accounts with extensions", () => {
    expect(deriveAccountFacts(accountOf(programAddresses.token2022, tokenData(182))).delegate).toEqual(
      delegate,
    );
  });
});

const holdOf = (data: Uint8Array, lamports = 5n) =>
  deriveAccountFacts(accountOf(programAddresses.stake, data, lamports)).nonCirculatingStake;

describe("deriveAccountFacts of stake accounts", () => {
  test("keeps a lockup of an initialized or delegated account", () => {
    expect(holdOf(stakeData(1, { timestamp: 7n }))).toEqual({
      address,
      lamports: 5n,
      lockupTimestamp: 7n,
      lockupEpoch: 0n,
      listedWithdrawer: false,
    });
    expect(holdOf(stakeData(2, { epoch: 2n ** 64n - 1n }))?.lockupEpoch).toBe(2n ** 64n - 1n);
  });

  test("keeps a listed withdraw authority without a lockup", () => {
    const data = stakeData(2);
    data.set(listedWithdrawer, 44);
    expect(holdOf(data)?.listedWithdrawer).toBe(true);
  });

  test("passes over other states, short data and accounts without lockup", () => {
    const locked = { timestamp: 7n };
    expect(holdOf(stakeData(0, locked))).toBeNull();
    expect(holdOf(stakeData(3, locked))).toBeNull();
    expect(holdOf(changed(stakeData(1, locked), 3, 1))).toBeNull();
    expect(holdOf(stakeData(1))).toBeNull();
    expect(holdOf(stakeData(2, locked).subarray(0, 196))).toBeNull();
    expect(holdOf(stakeData(1, locked).subarray(0, 124))).not.toBeNull();
    expect(holdOf(stakeData(1, locked).subarray(0, 123))).toBeNull();
  });
});

test("deriveAccountFacts takes any bytes under any program", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom(programAddresses.token, programAddresses.token2022, programAddresses.stake),
      (data, program) => {
        expect(() => deriveAccountFacts(accountOf(program, data))).not.toThrow();
      },
    ),
  );
});

describe("non-circulating lists", () => {
  test("hold 214 accounts and 114 withdraw authorities, each once", () => {
    expect(new Set(nonCirculatingAccountTexts).size).toBe(214);
    expect(nonCirculatingAccountTexts).toHaveLength(214);
    expect(new Set(listedWithdrawerTexts).size).toBe(114);
    expect(listedWithdrawerTexts).toHaveLength(114);
  });

  test("answer by address bytes", () => {
    expect(isNonCirculatingAccount(decodeAddress(nonCirculatingAccountTexts[213] as string))).toBe(true);
    expect(isNonCirculatingAccount(address)).toBe(false);
    expect(isListedWithdrawer(listedWithdrawer)).toBe(true);
    expect(isListedWithdrawer(address)).toBe(false);
  });

  test("a lock ends when the clock reaches it", () => {
    const hold = { lockupTimestamp: 10n, lockupEpoch: 3n, listedWithdrawer: false };
    expect(isNonCirculatingAt(hold, { unixTimestamp: 9n, epoch: 3n })).toBe(true);
    expect(isNonCirculatingAt(hold, { unixTimestamp: 10n, epoch: 2n })).toBe(true);
    expect(isNonCirculatingAt(hold, { unixTimestamp: 10n, epoch: 3n })).toBe(false);
    expect(isNonCirculatingAt({ ...hold, listedWithdrawer: true }, { unixTimestamp: 99n, epoch: 99n })).toBe(
      true,
    );
  });
});
