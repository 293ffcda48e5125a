import { type AddressFault, LamplightError } from "@lamplight/errors";
import { addressGroups, addressHalves, base58Alphabet, groupDigits, halfPowers } from "./address-tables.ts";

/** Longest base58 text of 32 bytes. */
const textBytesMax = 44;
const notADigit = 255;
const digitOfCode = new Uint8Array(128).fill(notADigit);
for (let digit = 0; digit < base58Alphabet.length; digit += 1)
  digitOfCode[base58Alphabet.charCodeAt(digit)] = digit;

/** Scratch of one call: nothing here outlives it, and no call is interrupted. */
const groups = new Float64Array(addressGroups);
const halves = new Float64Array(addressHalves);

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
  if (text.length > textBytesMax) return "WrongSize";
  const fault = readDigits(text);
  if (fault !== null) return fault;
  if (!sumHalves()) return "WrongSize";
  const bytes = new Uint8Array(addressHalves * 2);
  for (let half = 0; half < addressHalves; half += 1) {
    const value = halves[half] as number;
    bytes[half * 2] = value >> 8;
    bytes[half * 2 + 1] = value & 255;
  }
  return leading(text, base58Alphabet[0] as string) === leadingZeros(bytes) ? bytes : "WrongSize";
};

/** Fills `groups` with the text's digits, the last digit last. */
const readDigits = (text: string): AddressFault | null => {
  groups.fill(0);
  const padding = addressGroups * groupDigits - text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code < 128 ? (digitOfCode[code] as number) : notADigit;
    if (digit === notADigit) {
      // Only a character above 0x7F can make the text longer in bytes than in units.
      return new TextEncoder().encode(text).length > textBytesMax ? "WrongSize" : "Invalid";
    }
    const group = ((padding + index) / groupDigits) | 0;
    groups[group] = (groups[group] as number) * 58 + digit;
  }
  return null;
};

/** Fills `halves` with the value of `groups`; false when it needs more than 32 bytes. */
const sumHalves = (): boolean => {
  halves.fill(0);
  for (let group = 0; group < addressGroups; group += 1) {
    const value = groups[group] as number;
    const row = group * addressHalves;
    for (let half = 0; half < addressHalves; half += 1) {
      halves[half] = (halves[half] as number) + value * (halfPowers[row + half] as number);
    }
  }
  let carry = 0;
  for (let half = addressHalves - 1; half >= 0; half -= 1) {
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
