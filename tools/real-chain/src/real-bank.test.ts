// The real token programs, run by a real bank: what they leave is indexed, and answered as they say.

import { Random } from "@lamplight/devchain";
import { getAmountToUiAmountInstruction, type Mint, type Token } from "@solana-program/token-2022";
import type { Address } from "@solana/kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IndexedBank } from "../test/indexed-bank.ts";
import {
  extensionNames,
  findOfficial,
  officialMint,
  officialToken,
  optional,
  stateName,
  exactNumber,
} from "../test/official-view.ts";
import { LiteBank, seededSigner, Tally, emitNativeStory, emitTokenStory, tokenPrograms } from "./index.ts";

const SEED = 20_260;
const STORIES_OF_A_PROGRAM = 25;
const STEPS_OF_A_STORY = 25;
const NATIVE_STORIES = 6;
const programs = Object.values(tokenPrograms);

const tally = new Tally();
let chain: IndexedBank;
beforeAll(async () => {
  chain = new IndexedBank(new LiteBank(await seededSigner(new Random(SEED, 0, 0))));
  await chain.open();
  for (let index = 0; index < STORIES_OF_A_PROGRAM; index += 1)
    for (const program of programs)
      await emitTokenStory(chain, { program, seed: SEED, index, steps: STEPS_OF_A_STORY }, tally);
  for (let index = 0; index < NATIVE_STORIES; index += 1)
    await emitNativeStory(chain, { seed: SEED, index, vote: null }, tally);
  await chain.moveClock(40_000_000n);
});
afterAll(() => chain.close());

interface Answer<Value> {
  readonly value: Value;
}
type Parsed = Answer<{ readonly data: { readonly parsed: { readonly info: Info; readonly type: string } } }>;
type Info = Record<string, unknown> & { readonly extensions?: readonly ExtensionInfo[] };
interface ExtensionInfo {
  readonly extension: string;
  readonly state?: Record<string, unknown>;
}

const askParsed = async (address: Address) => {
  const { value } = (await chain.ask("getAccountInfo", [address, { encoding: "jsonParsed" }])) as Parsed;
  return value.data.parsed;
};

/** The text that the mint's own program makes of an amount. */
const textOf = async (mint: Address, program: Address, amount: bigint): Promise<string> =>
  Buffer.from(
    await chain.simulate([getAmountToUiAmountInstruction({ mint, amount }, { programAddress: program })]),
  ).toString();

const accountsOf = <Record>(read: (data: Uint8Array) => Record | null) =>
  programs.flatMap((program) =>
    chain.bank.svm.getProgramAccounts(program).flatMap(({ address, data }) => {
      const record = read(Uint8Array.from(data));
      return record === null || !chain.seen.has(address) ? [] : [{ address, program, record }];
    }),
  );

test("native programs did what they were reported", () => {
  const native = [
    "pay",
    "empty a wallet",
    "create a nonce",
    "advance a nonce",
    "create a stake",
    "withdraw a stake",
    "create a lookup table",
  ];
  expect(
    native.filter((step) => !tally.done.has(step)),
    [...tally.reasons.keys()].join(", "),
  ).toEqual([]);
});

test("most kinds of steps were executed", () => {
  expect(tally.done.size, `seed ${SEED}: ${[...tally.done.keys()].join(", ")}`).toBeGreaterThan(20);
});

test("every account that was written is answered as the bank has it, closed ones as null", async () => {
  let closed = 0;
  for (const address of chain.seen) {
    const expected = chain.describe(address);
    if (expected === null) closed += 1;
    const { value } = (await chain.ask("getAccountInfo", [
      address,
      { encoding: "base64" },
    ])) as Answer<object>;
    if (expected === null) expect(value, address).toBeNull();
    else expect(value, address).toMatchObject(expected);
  }
  expect(closed).toBeGreaterThan(0);
});

describe("token accounts", () => {
  test("are shown as the program's decoder reads them, amounts as the program writes them", async () => {
    const accounts = accountsOf(officialToken);
    expect(accounts.length).toBeGreaterThan(STORIES_OF_A_PROGRAM);
    for (const { address, program, record } of accounts) await expectToken(address, program, record);
  });

  test("are listed for exactly their delegates", async () => {
    const accounts = accountsOf(officialToken);
    const delegates = new Set(accounts.flatMap(({ record }) => optional(record.delegate) ?? []));
    expect(delegates.size).toBeGreaterThan(0);
    for (const delegate of delegates)
      for (const programId of programs) {
        const filters = [delegate, { programId }, { encoding: "base64" }];
        const { value } = (await chain.ask("getTokenAccountsByDelegate", filters)) as Answer<
          { pubkey: Address }[]
        >;
        const expected = accounts.filter(
          ({ program, record }) => program === programId && optional(record.delegate) === delegate,
        );
        expect(value.map(({ pubkey }) => pubkey).toSorted(), delegate).toEqual(
          expected.map(({ address }) => address).toSorted(),
        );
      }
  });
});

describe("mints", () => {
  test("are shown as the program's decoder reads them, supplies as the program writes them", async () => {
    const mints = accountsOf(officialMint);
    expect(mints.length).toBeGreaterThan(STORIES_OF_A_PROGRAM);
    for (const { address, program, record } of mints) {
      const { type, info } = await askParsed(address);
      expect({ ...info, type }, address).toMatchObject({
        type: "mint",
        decimals: record.decimals,
        supply: `${record.supply}`,
        mintAuthority: optional(record.mintAuthority) ?? null,
        freezeAuthority: optional(record.freezeAuthority) ?? null,
      });
      const { value } = (await chain.ask("getTokenSupply", [address])) as Answer<object>;
      expect(value, address).toMatchObject({
        amount: `${record.supply}`,
        uiAmountString: await textOf(address, program, record.supply),
      });
      expectExtensions(address, info, record);
    }
  });

  test("with own metadata are assets of that name", async () => {
    const named = accountsOf(officialMint).flatMap(({ address, record }) => {
      const metadata = findOfficial(record.extensions, "TokenMetadata");
      return metadata === undefined ? [] : [{ address, metadata }];
    });
    expect(named.length).toBeGreaterThan(0);
    for (const { address, metadata } of named) {
      const { name, symbol, uri } = metadata;
      expect(await chain.ask("getAsset", [address]), address).toMatchObject({
        content: { json_uri: uri, metadata: { name, symbol } },
      });
    }
  });
});

const expectToken = async (address: Address, program: Address, token: Token): Promise<void> => {
  // A mint can be closed before its last empty accounts: their amounts have no decimals then.
  if (!chain.bank.svm.getAccount(token.mint).exists) return;
  const { type, info } = await askParsed(address);
  const delegate = optional(token.delegate);
  expect({ ...info, type }, address).toMatchObject({
    type: "account",
    mint: token.mint,
    owner: token.owner,
    state: stateName(token.state),
    tokenAmount: {
      amount: `${token.amount}`,
      uiAmountString: await textOf(token.mint, program, token.amount),
    },
  });
  expect(info["delegate"], address).toBe(delegate);
  expect(info["closeAuthority"], address).toBe(optional(token.closeAuthority));
  if (delegate !== undefined)
    expect(info["delegatedAmount"], address).toMatchObject({
      amount: `${token.delegatedAmount}`,
      uiAmountString: await textOf(token.mint, program, token.delegatedAmount),
    });
  expect(info.extensions?.map(({ extension }) => extension) ?? [], address).toEqual(
    extensionNames(token.extensions),
  );
  const fee = findOfficial(token.extensions, "TransferFeeAmount");
  if (fee !== undefined)
    expect(stateOf(info, "transferFeeAmount")).toEqual({ withheldAmount: exactNumber(fee.withheldAmount) });
};

const expectExtensions = (address: Address, info: Info, { extensions }: Mint): void => {
  expect(info.extensions?.map(({ extension }) => extension) ?? [], address).toEqual(
    extensionNames(extensions),
  );
  const fee = findOfficial(extensions, "TransferFeeConfig");
  if (fee !== undefined)
    expect(stateOf(info, "transferFeeConfig"), address).toMatchObject({
      withheldAmount: exactNumber(fee.withheldAmount),
      newerTransferFee: {
        epoch: exactNumber(fee.newerTransferFee.epoch),
        maximumFee: exactNumber(fee.newerTransferFee.maximumFee),
        transferFeeBasisPoints: fee.newerTransferFee.transferFeeBasisPoints,
      },
    });
  const pausable = findOfficial(extensions, "PausableConfig");
  if (pausable !== undefined)
    expect(stateOf(info, "pausableConfig"), address).toMatchObject({ paused: pausable.paused });
  const interest = findOfficial(extensions, "InterestBearingConfig");
  if (interest !== undefined)
    expect(stateOf(info, "interestBearingConfig"), address).toMatchObject({
      currentRate: interest.currentRate,
      preUpdateAverageRate: interest.preUpdateAverageRate,
    });
};

const stateOf = (info: Info, name: string): Record<string, unknown> | undefined =>
  info.extensions?.find(({ extension }) => extension === name)?.state;
