import type { Holding } from "@lamplight/core";

/** Token owner, mint and token account: the key of the table. */
export const HOLDING_KEY_BYTES = 96;
export const HOLDING_ROW_BYTES: number = HOLDING_KEY_BYTES + 1;

/** A holding as bytes that sort like the table. */
export const writeHolding = (
  { tokenOwner, mint, tokenAccount, positive }: Holding,
  out: Uint8Array,
  at: number,
): void => {
  out.set(tokenOwner, at);
  out.set(mint, at + 32);
  out.set(tokenAccount, at + 64);
  out[at + HOLDING_KEY_BYTES] = Number(positive);
};
