// Reads an account with the programs' own decoders, in the words of jsonParsed.
import {
  AccountState,
  type Extension,
  getMintDecoder,
  getTokenDecoder,
  type Mint,
  type Token,
} from "@solana-program/token-2022";
import { isSome, type Option } from "@solana/kit";

const TOKEN_BYTES = 165;
const MINT_BYTES = 82;
const KIND_OFFSET = 165;
const kinds = { mint: 1, account: 2 };

/** Null for anything but an initialized token account. */
export const officialToken = (data: Uint8Array): Token | null => {
  if (data.length < TOKEN_BYTES) return null;
  if (data.length > TOKEN_BYTES && data[KIND_OFFSET] !== kinds.account) return null;
  const token = getTokenDecoder().decode(data);
  return token.state === AccountState.Uninitialized ? null : token;
};

/** Null for anything but an initialized mint. */
export const officialMint = (data: Uint8Array): Mint | null => {
  if (data.length !== MINT_BYTES && data[KIND_OFFSET] !== kinds.mint) return null;
  const mint = getMintDecoder().decode(data);
  return mint.isInitialized ? mint : null;
};

const namesOfStates = { 0: "uninitialized", 1: "initialized", 2: "frozen" };
export const stateName = (state: AccountState): string => namesOfStates[state];

export const optional = <Value>(option: Option<Value>): Value | undefined =>
  isSome(option) ? option.value : undefined;

const otherNames: Readonly<Record<string, string>> = {
  ConfidentialTransferFee: "confidentialTransferFeeConfig",
};

/** Names of the extensions, in stored order. */
export const extensionNames = (extensions: Option<readonly Extension[]>): readonly string[] =>
  (optional(extensions) ?? []).map(
    ({ __kind }) => otherNames[__kind] ?? `${__kind[0]!.toLowerCase()}${__kind.slice(1)}`,
  );

type OfKind<Kind extends Extension["__kind"]> = Extract<Extension, { __kind: Kind }>;

export const findOfficial = <Kind extends Extension["__kind"]>(
  extensions: Option<readonly Extension[]>,
  kind: Kind,
): OfKind<Kind> | undefined =>
  (optional(extensions) ?? []).find(({ __kind }) => __kind === kind) as OfKind<Kind> | undefined;

/** As exact JSON is read: a bigint only where a number would round. */
export const exactNumber = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
