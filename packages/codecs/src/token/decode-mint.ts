import { u64At } from "../bytes/uint-at.ts";
import {
  ACCOUNT_TYPE_OFFSET,
  accountTypes,
  extensionsOf,
  EXTENSIONS_OFFSET,
  MINT_BYTES,
  MULTISIG_BYTES,
  optionKey,
} from "./token-layout.ts";

/** The token itself. Keys are views into the account's data. */
export interface Mint {
  /** Null = no one can mint more. */
  readonly mintAuthority: Uint8Array | null;
  /** Raw units, 0 to 2^64 - 1. */
  readonly supply: bigint;
  /** 0 to 255. */
  readonly decimals: number;
  readonly freezeAuthority: Uint8Array | null;
  /** The extension region, not walked yet; empty when there is none. */
  readonly extensions: Uint8Array;
}

/** A mint of either token program; null for anything else, an uninitialized mint included. */
export const decodeMint = (data: Uint8Array): Mint | null => {
  if (!hasMintShape(data) || data[45] !== 1) return null;
  const mintAuthority = optionKey(data, 0);
  const freezeAuthority = optionKey(data, 46);
  if (mintAuthority === undefined || freezeAuthority === undefined) return null;
  return {
    mintAuthority,
    supply: u64At(data, 36),
    decimals: data[44] as number,
    freezeAuthority,
    extensions: extensionsOf(data),
  };
};

/** A longer mint is padded with zeros up to the account type, so that no token account can pass for one. */
const hasMintShape = (data: Uint8Array): boolean => {
  if (data.length === MINT_BYTES) return true;
  if (data.length < EXTENSIONS_OFFSET || data.length === MULTISIG_BYTES) return false;
  if (data[ACCOUNT_TYPE_OFFSET] !== accountTypes.mint) return false;
  for (let offset = MINT_BYTES; offset < ACCOUNT_TYPE_OFFSET; offset += 1)
    if (data[offset] !== 0) return false;
  return true;
};
