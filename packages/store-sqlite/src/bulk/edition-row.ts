import type { Edition } from "@lamplight/core";

/** Parent, number and address: the key of the table; then the mint. */
export const EDITION_KEY_BYTES = 72;
export const EDITION_ROW_BYTES: number = EDITION_KEY_BYTES + 32;

/** An edition as bytes that sort like the table. */
export const writeEdition = ({ parent, number, address, mint }: Edition, out: Buffer, at: number): void => {
  out.set(parent, at);
  out.writeBigUInt64BE(number, at + 32);
  out.set(address, at + 40);
  out.set(mint, at + EDITION_KEY_BYTES);
};
