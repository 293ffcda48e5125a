import { base58 } from "@scure/base";
import { LamplightError } from "@lamplight/errors";
import { ADDRESS_GROUPS, ADDRESS_HALVES, base58Alphabet, GROUP_DIGITS } from "./address-tables.ts";
import { sumGroups } from "./sum-groups.ts";

const alphabetCodes = Uint8Array.from(base58Alphabet, (character) => character.charCodeAt(0));
/** 58^2. */
const PAIR_BASE = 3364;
/** Both characters of every pair of digits: two divisions per group instead of five. */
const pairCodes = Uint8Array.from({ length: PAIR_BASE * 2 }, (_, index) => {
  const pair = index >> 1;
  return alphabetCodes[index % 2 === 0 ? Math.floor(pair / 58) : pair % 58] as number;
});
/** Scratch of one call: nothing here outlives it, and no call is interrupted. */
const groups = new Float64Array(ADDRESS_GROUPS);
const characters = Buffer.alloc(ADDRESS_GROUPS * GROUP_DIGITS);

/**
 * Base58 text of a 32-byte address.
 *
 * Written by hand because it is on the way of every row of every answer: base 58^5 digits are summed from
 * precomputed powers in doubles (below 2^53, hence exact), several times the rate of the general encoder.
 *
 * @throws {LamplightError} `CODEC__MALFORMED` when there are not exactly 32 bytes
 */
export const encodeAddress = (bytes: Uint8Array): string => {
  if (bytes.length !== ADDRESS_HALVES * 2) {
    throw new LamplightError("CODEC__MALFORMED", {
      kind: "address",
      reason: `${bytes.length} bytes, not 32`,
    });
  }
  sumGroups(bytes, groups);
  writeCharacters();
  return characters.toString("latin1", firstCharacter(bytes));
};

/** Base58 text of bytes of any length; quadratic, so only for short data such as hashes and sliced accounts. */
export const encodeBase58 = (bytes: Uint8Array): string =>
  bytes.length === ADDRESS_HALVES * 2 ? encodeAddress(bytes) : base58.encode(bytes);

/** Five characters for each group: one, then two pairs. */
const writeCharacters = (): void => {
  for (let group = 0; group < ADDRESS_GROUPS; group += 1) {
    const value = groups[group] as number;
    const head = (value / PAIR_BASE) | 0;
    const first = (head / PAIR_BASE) | 0;
    const at = group * GROUP_DIGITS;
    characters[at] = alphabetCodes[first] as number;
    writePair(at + 1, head - first * PAIR_BASE);
    writePair(at + 3, value - head * PAIR_BASE);
  }
};

const writePair = (at: number, pair: number): void => {
  characters[at] = pairCodes[pair * 2] as number;
  characters[at + 1] = pairCodes[pair * 2 + 1] as number;
};

/** Each leading zero byte is one leading `1`; further leading `1`s are only padding of the groups. */
const firstCharacter = (bytes: Uint8Array): number => {
  let zeroBytes = 0;
  while (zeroBytes < bytes.length && bytes[zeroBytes] === 0) zeroBytes += 1;
  let zeroDigits = 0;
  while (zeroDigits < characters.length && characters[zeroDigits] === alphabetCodes[0]) zeroDigits += 1;
  return zeroDigits - zeroBytes;
};
