import { LamplightError } from "@lamplight/errors";
import { base58Alphabet } from "./address-tables.ts";

/** Four digits at a time (58^4 < 2^24) over limbs of three bytes: products stay below 2^48, exact in doubles. */
const GROUP_DIGITS = 4;
const LIMB_BYTES = 3;
const LIMB_BASE = 2 ** (8 * LIMB_BYTES);
const NOT_A_DIGIT = 255;
const digitOfCode = new Uint8Array(128).fill(NOT_A_DIGIT);
for (let digit = 0; digit < base58Alphabet.length; digit += 1)
  digitOfCode[base58Alphabet.charCodeAt(digit)] = digit;

/**
 * Bytes of base58 text of any length, for instruction data and signatures. Quadratic in the length: the caller bounds it.
 *
 * @throws {LamplightError} `CODEC__MALFORMED` for a character outside the alphabet or text over `lengthMax`
 */
export const decodeBase58 = (text: string, lengthMax: number): Uint8Array => {
  if (text.length > lengthMax) throw refused(`${text.length} characters, at most ${lengthMax}`);
  let zeros = 0;
  while (zeros < text.length && text[zeros] === base58Alphabet[0]) zeros += 1;
  const limbs = new Float64Array(Math.ceil(((text.length - zeros) * 0.7325) / LIMB_BYTES) + 1);
  let used = 0;
  for (let at = zeros; at < text.length; at += GROUP_DIGITS) {
    used = multiplyAdd(limbs, used, ...readGroup(text, at));
  }
  return assemble(limbs, used, zeros);
};

/** Factor and value of up to four digits. */
const readGroup = (text: string, at: number): [number, number] => {
  const end = Math.min(at + GROUP_DIGITS, text.length);
  let factor = 1;
  let value = 0;
  for (let index = at; index < end; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code < digitOfCode.length ? (digitOfCode[code] as number) : NOT_A_DIGIT;
    if (digit === NOT_A_DIGIT) throw refused(`character ${index + 1} is not a base58 digit`);
    factor *= base58Alphabet.length;
    value = value * base58Alphabet.length + digit;
  }
  return [factor, value];
};

/** limbs = limbs * factor + value, least significant limb first; answers how many limbs are in use. */
const multiplyAdd = (limbs: Float64Array, used: number, factor: number, value: number): number => {
  let carry = value;
  for (let index = 0; index < used; index += 1) {
    const sum = (limbs[index] as number) * factor + carry;
    carry = Math.floor(sum / LIMB_BASE);
    limbs[index] = sum - carry * LIMB_BASE;
  }
  if (carry === 0) return used;
  limbs[used] = carry;
  return used + 1;
};

const assemble = (limbs: Float64Array, used: number, zeros: number): Uint8Array => {
  const top = used === 0 ? 0 : (limbs[used - 1] as number);
  const topBytes = top === 0 ? 0 : top < 2 ** 8 ? 1 : top < 2 ** 16 ? 2 : LIMB_BYTES;
  const length = used === 0 ? 0 : (used - 1) * LIMB_BYTES + topBytes;
  const bytes = new Uint8Array(zeros + length);
  for (let index = 0; index < length; index += 1) {
    const limb = limbs[Math.floor(index / LIMB_BYTES)] as number;
    bytes[bytes.length - 1 - index] = (limb >>> (8 * (index % LIMB_BYTES))) & 255;
  }
  return bytes;
};

const refused = (reason: string): LamplightError =>
  new LamplightError("CODEC__MALFORMED", { kind: "base58 text", reason });
