import { LamplightError } from "@lamplight/errors";
import { base58Alphabet } from "./address-tables.ts";

/** Four digits at a time (58^4 < 2^24) over limbs of three bytes: products stay below 2^48, exact in doubles. */
const groupDigits = 4;
const limbBytes = 3;
const limbBase = 2 ** (8 * limbBytes);
const notADigit = 255;
const digitOfCode = new Uint8Array(128).fill(notADigit);
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
  const limbs = new Float64Array(Math.ceil(((text.length - zeros) * 0.7325) / limbBytes) + 1);
  let used = 0;
  for (let at = zeros; at < text.length; at += groupDigits) {
    used = multiplyAdd(limbs, used, ...readGroup(text, at));
  }
  return assemble(limbs, used, zeros);
};

/** Factor and value of up to four digits. */
const readGroup = (text: string, at: number): [number, number] => {
  const end = Math.min(at + groupDigits, text.length);
  let factor = 1;
  let value = 0;
  for (let index = at; index < end; index += 1) {
    const code = text.charCodeAt(index);
    const digit = code < digitOfCode.length ? (digitOfCode[code] as number) : notADigit;
    if (digit === notADigit) throw refused(`character ${index + 1} is not a base58 digit`);
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
    carry = Math.floor(sum / limbBase);
    limbs[index] = sum - carry * limbBase;
  }
  if (carry === 0) return used;
  limbs[used] = carry;
  return used + 1;
};

const assemble = (limbs: Float64Array, used: number, zeros: number): Uint8Array => {
  const top = used === 0 ? 0 : (limbs[used - 1] as number);
  const topBytes = top === 0 ? 0 : top < 2 ** 8 ? 1 : top < 2 ** 16 ? 2 : limbBytes;
  const length = used === 0 ? 0 : (used - 1) * limbBytes + topBytes;
  const bytes = new Uint8Array(zeros + length);
  for (let index = 0; index < length; index += 1) {
    const limb = limbs[Math.floor(index / limbBytes)] as number;
    bytes[bytes.length - 1 - index] = (limb >>> (8 * (index % limbBytes))) & 255;
  }
  return bytes;
};

const refused = (reason: string): LamplightError =>
  new LamplightError("CODEC__MALFORMED", { kind: "base58 text", reason });
