import { type AddressFault, LamplightError } from "@lamplight/errors";
import {
  ADDRESS_GROUPS,
  ADDRESS_HALVES,
  base58Alphabet,
  GROUP_DIGITS,
  halfPowers,
} from "./address-tables.ts";

/** Longest base58 text of 32 bytes. */
const TEXT_BYTES_MAX = 44;
const NOT_A_DIGIT = 255;
const digitOfCode = new Uint8Array(128).fill(NOT_A_DIGIT);
for (let digit = 0; digit < base58Alphabet.length; digit += 1)
  digitOfCode[base58Alphabet.charCodeAt(digit)] = digit;

/** Scratch of one call: nothing here outlives it, and no call is interrupted. */
const groups = new Float64Array(ADDRESS_GROUPS);
const halves = new Float64Array(ADDRESS_HALVES);

/**
 * The 32 bytes of a base58 address. Nothing is trimmed.
 *
 * The checks come in Agave's order, since its clients match on the word: more than 44 bytes of UTF-8 is
 * `WrongSize`, a character outside the alphabet is `Invalid`, a value that is not 32 bytes is `WrongSize`.
 *
 * @throws {LamplightError} `CODEC__ADDRESS` with that fault
 */
export const decodeAddress = (text: string): Uint8Array => {
  const result = tryDecode(text);
  if (typeof result === "string") throw new LamplightError("CODEC__ADDRESS", { text, fault: result });
  return result;
};

/** The 32 bytes of a base58 address, or null where `decodeAddress` throws. */
export const findAddress = (text: string): Uint8Array | null => {
  const result = tryDecode(text);
  return typeof result === "string" ? null : result;
};

const tryDecode = (text: string): Uint8Array | AddressFault => {
  if (text.length > TEXT_BYTES_MAX) return "WrongSize";
  const fault = readDigits(text);
  if (fault !== null) return fault;
  if (!sumHalves()) return "WrongSize";
  const bytes = new Uint8Array(ADDRESS_HALVES * 2);
  for (let half = 0; half < ADDRESS_HALVES; half += 1) {
    const value = halves[half] as number;
    bytes[half * 2] = value >> 8;
    bytes[half * 2 + 1] = value & 255;
  }
  return leading(text, base58Alphabet[0] as string) === leadingZeros(bytes) ? bytes : "WrongSize";
};

/** Fills `groups` with the text's digits, the last digit last. */
const readDigits = (text: string): AddressFault | null => {
  groups.fill(0);
  const padding = ADDRESS_GROUPS * GROUP_DIGITS - text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code < 128 ? (digitOfCode[code] as number) : NOT_A_DIGIT;
    if (digit === NOT_A_DIGIT) {
      // Only a character above 0x7F can make the text longer in bytes than in units.
      return new TextEncoder().encode(text).length > TEXT_BYTES_MAX ? "WrongSize" : "Invalid";
    }
    const group = ((padding + index) / GROUP_DIGITS) | 0;
    groups[group] = (groups[group] as number) * 58 + digit;
  }
  return null;
};

/** Fills `halves` with the value of `groups`; false when it needs more than 32 bytes. */
const sumHalves = (): boolean => {
  halves.fill(0);
  for (let group = 0; group < ADDRESS_GROUPS; group += 1) {
    const value = groups[group] as number;
    const row = group * ADDRESS_HALVES;
    for (let half = 0; half < ADDRESS_HALVES; half += 1) {
      halves[half] = (halves[half] as number) + value * (halfPowers[row + half] as number);
    }
  }
  let carry = 0;
  for (let half = ADDRESS_HALVES - 1; half >= 0; half -= 1) {
    const sum = (halves[half] as number) + carry;
    carry = Math.floor(sum / 65_536);
    halves[half] = sum - carry * 65_536;
  }
  return carry === 0;
};

const leading = (text: string, character: string): number => {
  let count = 0;
  while (count < text.length && text[count] === character) count += 1;
  return count;
};

const leadingZeros = (bytes: Uint8Array): number => {
  let count = 0;
  while (count < bytes.length && bytes[count] === 0) count += 1;
  return count;
};
