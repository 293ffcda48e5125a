import { decodeAddress } from "../base58/decode-address.ts";
import { assetProgramTexts, transactionProgramTexts } from "../generated/program-lists.ts";

/** Programs whose accounts or instructions mean something to us, and the mints of wrapped lamports; base58 text. */
export const programAddressTexts = {
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  tokenMetadata: "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s",
  mplCore: "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d",
  bubblegum: "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY",
  system: "11111111111111111111111111111111",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  stake: "Stake11111111111111111111111111111111111111",
  vote: "Vote111111111111111111111111111111111111111",
  config: "Config1111111111111111111111111111111111111",
  addressLookupTable: "AddressLookupTab1e1111111111111111111111111",
  upgradeableLoader: "BPFLoaderUpgradeab1e11111111111111111111111",
  nativeLoader: "NativeLoader1111111111111111111111111111111",
  /** Owner of the sysvar accounts. */
  sysvar: "Sysvar1111111111111111111111111111111111111",
  splAccountCompression: "cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK",
  mplAccountCompression: "mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW",
  splNoop: "noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV",
  mplNoop: "mnoopTCrg4p8ry25e4bcWA9XZjbNjMTfgYVGGEdRsf3",
  /** LibrePlex inscriptions: the ones asset readers show. */
  inscriptions: "inscokhJarcjaEs59QbQ7hYjrKz25LEPRfCbP8EmdUp",
  nativeMint: "So11111111111111111111111111111111111111112",
  nativeMint2022: "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXej9",
} as const;

/** Accounts that the runtime writes; base58 text. */
export const sysvarAddressTexts = {
  clock: "SysvarC1ock11111111111111111111111111111111",
  epochRewards: "SysvarEpochRewards1111111111111111111111111",
  epochSchedule: "SysvarEpochSchedu1e111111111111111111111111",
  fees: "SysvarFees111111111111111111111111111111111",
  instructions: "Sysvar1nstructions1111111111111111111111111",
  lastRestartSlot: "SysvarLastRestartS1ot1111111111111111111111",
  recentBlockhashes: "SysvarRecentB1ockHashes11111111111111111111",
  rent: "SysvarRent111111111111111111111111111111111",
  rewards: "SysvarRewards111111111111111111111111111111",
  slotHashes: "SysvarS1otHashes111111111111111111111111111",
  slotHistory: "SysvarS1otHistory11111111111111111111111111",
  stakeHistory: "SysvarStakeHistory1111111111111111111111111",
} as const;

type AddressesOf<Texts> = { readonly [Name in keyof Texts]: Uint8Array };

const bytesOf = <Texts extends Readonly<Record<string, string>>>(texts: Texts): AddressesOf<Texts> =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, decodeAddress(text)]),
  ) as AddressesOf<Texts>;

/** The same addresses as bytes. Shared by all: read only. */
export const programAddresses: AddressesOf<typeof programAddressTexts> = bytesOf(programAddressTexts);

/** The same addresses as bytes. Shared by all: read only. */
export const sysvarAddresses: AddressesOf<typeof sysvarAddressTexts> = bytesOf(sysvarAddressTexts);

/** First key of a config account that holds what a validator says about itself. */
export const validatorInfoKey: Uint8Array = decodeAddress("Va1idator1nfo111111111111111111111111111111");

/** Programs whose accounts describe assets: a store of all of them has every asset but compressed ones. */
export const assetPrograms: readonly Uint8Array[] = assetProgramTexts.map(decodeAddress);

/** Programs whose transactions say what no account does: without what they called, transactions are refused. */
export const transactionPrograms: readonly Uint8Array[] = transactionProgramTexts.map(decodeAddress);

/** The classic token program and Token-2022. */
export const isTokenProgram = (program: Uint8Array): boolean =>
  sameBytes(program, programAddresses.token) || sameBytes(program, programAddresses.token2022);

/** Whether two byte strings are equal; lengths may differ. */
export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
};
