import { MULTISIG_BYTES } from "./token-layout.ts";

/** Several keys that stand for one. */
export interface Multisig {
  readonly requiredSigners: number;
  /** As stored; the keys in `signers` are not counted against it. */
  readonly validSigners: number;
  /** Every key of the eleven places that is not zero, in order; views into the account's data. */
  readonly signers: readonly Uint8Array[];
}

const PLACES = 11;

/** A multisig of either token program; null for anything else, an uninitialized one included. */
export const decodeMultisig = (data: Uint8Array): Multisig | null => {
  if (data.length !== MULTISIG_BYTES || data[2] !== 1) return null;
  const signers: Uint8Array[] = [];
  for (let place = 0; place < PLACES; place += 1) {
    const key = data.subarray(3 + place * 32, 35 + place * 32);
    if (key.some((byte) => byte !== 0)) signers.push(key);
  }
  return { requiredSigners: data[0] as number, validSigners: data[1] as number, signers };
};
