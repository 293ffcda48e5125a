import { u64At } from "../bytes/uint-at.ts";
import {
  ACCOUNT_TYPE_OFFSET,
  accountTypes,
  extensionsOf,
  MULTISIG_BYTES,
  optionKey,
  optionTag,
  TOKEN_ACCOUNT_BYTES,
  tokenAccountLayout as layout,
} from "./token-layout.ts";

/** A holding of one token. Keys are views into the account's data. */
export interface TokenAccount {
  readonly mint: Uint8Array;
  readonly tokenOwner: Uint8Array;
  /** Raw units, 0 to 2^64 - 1. */
  readonly amount: bigint;
  readonly delegate: Uint8Array | null;
  readonly state: "initialized" | "frozen";
  /** Lamports; null when the token is not wrapped lamports. */
  readonly rentExemptReserve: bigint | null;
  /** As stored; it may remain from a delegate that was revoked. */
  readonly delegatedAmount: bigint;
  readonly closeAuthority: Uint8Array | null;
  /** The extension region, not walked yet; empty when there is none. */
  readonly extensions: Uint8Array;
}

/** A token account of either token program; null for anything else, an uninitialized account included. */
export const decodeTokenAccount = (data: Uint8Array): TokenAccount | null => {
  if (!hasTokenAccountShape(data)) return null;
  const state = data[layout.state];
  const delegate = optionKey(data, layout.delegateTag);
  const native = optionTag(data, layout.nativeTag);
  const closeAuthority = optionKey(data, layout.closeAuthorityTag);
  if (state !== 1 && state !== 2) return null;
  if (delegate === undefined || native === null || closeAuthority === undefined) return null;
  return {
    mint: keyAt(data, layout.mint),
    tokenOwner: keyAt(data, layout.tokenOwner),
    amount: u64At(data, layout.amount),
    delegate,
    state: state === 1 ? "initialized" : "frozen",
    rentExemptReserve: native ? u64At(data, layout.nativeReserve) : null,
    delegatedAmount: u64At(data, layout.delegatedAmount),
    closeAuthority,
    extensions: extensionsOf(data),
  };
};

/**
 * Agave's filter for token accounts: right size or account type, and a state byte that is not zero.
 * Looser than `decodeTokenAccount`, which also needs known states and option tags.
 */
export const isTokenAccount = (data: Uint8Array): boolean =>
  hasTokenAccountShape(data) && data[layout.state] !== 0;

/**
 * Delegate and mint as Agave's scan by delegate sees them: an account that `isTokenAccount` and whose delegate tag
 * is exactly 1, regardless of what amount is delegated. Null for every other account.
 */
export const delegateOf = (
  data: Uint8Array,
): { readonly delegate: Uint8Array; readonly mint: Uint8Array } | null => {
  if (!isTokenAccount(data) || optionTag(data, layout.delegateTag) !== true) return null;
  return { delegate: keyAt(data, layout.delegate), mint: keyAt(data, layout.mint) };
};

const hasTokenAccountShape = (data: Uint8Array): boolean =>
  data.length === TOKEN_ACCOUNT_BYTES ||
  (data.length > TOKEN_ACCOUNT_BYTES &&
    data.length !== MULTISIG_BYTES &&
    data[ACCOUNT_TYPE_OFFSET] === accountTypes.tokenAccount);

const keyAt = (data: Uint8Array, offset: number): Uint8Array => data.subarray(offset, offset + 32);
