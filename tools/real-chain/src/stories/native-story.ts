import { Random } from "@lamplight/devchain";
import {
  getAdvanceNonceAccountInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  getWithdrawNonceAccountInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from "@solana-program/system";
import type { Address, Instruction, KeyPairSigner } from "@solana/kit";
import type { Bank } from "../bank/bank.ts";
import { seededSigner } from "../bank/seeded-signer.ts";
import {
  createLookupTable,
  deactivateLookupTable,
  deactivateStake,
  delegateStake,
  extendLookupTable,
  initializeStake,
  nativePrograms,
  withdrawStake,
} from "./native-programs.ts";
import type { Tally } from "./tally.ts";

export interface NativeStory {
  readonly seed: number;
  readonly index: number;
  /** A vote account to delegate to; null = stakes stay undelegated. */
  readonly vote: Address | null;
}

interface Cast {
  readonly bank: Bank;
  readonly random: Random;
  readonly boss: KeyPairSigner;
  readonly tally: Tally;
}

const STREAM_OF_NATIVES = 0x72;
const STAKE_BYTES = 200;
const NONCE_BYTES = 80;
const WALLET_LAMPORTS = 900_000_000;

/**
 * Wallets, a nonce, a stake and a lookup table are made, changed, and some of them closed.
 *
 * @returns all accounts of the story
 */
export const emitNativeStory = async (
  bank: Bank,
  { seed, index, vote }: NativeStory,
  tally: Tally,
): Promise<readonly Address[]> => {
  const random = new Random(seed, STREAM_OF_NATIVES, index);
  const cast = { bank, random, boss: await seededSigner(random), tally };
  return [
    cast.boss.address,
    ...(await emitWallets(cast)),
    await emitNonce(cast),
    await emitStake(cast, vote),
    await emitLookupTable(cast),
  ];
};

const pay = (from: KeyPairSigner, to: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: from, destination: to, amount });

/** Money comes, and from one of them goes to the last lamport. */
const emitWallets = async ({ bank, random, boss, tally }: Cast): Promise<readonly Address[]> => {
  const [kept, emptied] = [await seededSigner(random), await seededSigner(random)];
  const amount = BigInt(WALLET_LAMPORTS + random.below(WALLET_LAMPORTS));
  await tally.attempt(
    "fund wallets",
    bank,
    [boss, kept, emptied].map(({ address }) => pay(bank.payer, address, amount)),
  );
  await tally.attempt("pay", bank, [
    pay(kept, boss.address, BigInt(1 + random.below(WALLET_LAMPORTS - 5_000_000))),
  ]);
  await tally.attempt("empty a wallet", bank, [pay(emptied, boss.address, amount)]);
  return [kept.address, emptied.address];
};

const emitNonce = async ({ bank, random, boss, tally }: Cast): Promise<Address> => {
  const nonce = await seededSigner(random);
  const lamports = await bank.rentFor(NONCE_BYTES);
  const parts = { nonceAccount: nonce.address, nonceAuthority: boss };
  await tally.attempt("create a nonce", bank, [
    getCreateAccountInstruction({
      payer: bank.payer,
      newAccount: nonce,
      lamports,
      space: NONCE_BYTES,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    }),
    getInitializeNonceAccountInstruction({ nonceAccount: nonce.address, nonceAuthority: boss.address }),
  ]);
  await tally.attempt("advance a nonce", bank, [getAdvanceNonceAccountInstruction(parts)]);
  if (random.percent(50))
    await tally.attempt("close a nonce", bank, [
      getWithdrawNonceAccountInstruction({
        ...parts,
        recipientAccount: boss.address,
        withdrawAmount: lamports,
      }),
    ]);
  return nonce.address;
};

const emitStake = async ({ bank, random, boss, tally }: Cast, vote: Address | null): Promise<Address> => {
  const stake = await seededSigner(random);
  const lamports = (await bank.rentFor(STAKE_BYTES)) + BigInt(2_000_000_000 + random.below(1_000_000_000));
  await tally.attempt("create a stake", bank, [
    getCreateAccountInstruction({
      payer: bank.payer,
      newAccount: stake,
      lamports,
      space: STAKE_BYTES,
      programAddress: nativePrograms.stake,
    }),
    initializeStake(stake.address, boss.address),
  ]);
  if (vote !== null)
    await tally.attempt("delegate a stake", bank, [delegateStake(stake.address, vote, boss)]);
  if (vote !== null && random.percent(70))
    await tally.attempt("deactivate a stake", bank, [deactivateStake(stake.address, boss)]);
  if (random.percent(60))
    await tally.attempt("withdraw a stake", bank, [
      withdrawStake(stake.address, boss.address, boss, lamports),
    ]);
  return stake.address;
};

const emitLookupTable = async ({ bank, random, boss, tally }: Cast): Promise<Address> => {
  const { table, create } = await createLookupTable(boss, bank.payer, await bank.slot());
  await tally.attempt("create a lookup table", bank, [create]);
  const addresses = [await seededSigner(random), await seededSigner(random)].map(({ address }) => address);
  await tally.attempt("extend a lookup table", bank, [extendLookupTable(table, boss, bank.payer, addresses)]);
  if (random.percent(50))
    await tally.attempt("deactivate a lookup table", bank, [deactivateLookupTable(table, boss)]);
  return table;
};
