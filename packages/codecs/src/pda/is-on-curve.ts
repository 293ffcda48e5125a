/** The field of ed25519, 2^255 - 19, and its curve's d in -x² + y² = 1 + d·x²·y². */
const FIELD = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SIGN_BIT = 1n << 63n;

/**
 * Whether 32 bytes are the compressed form of a curve point, as the runtime asks it: a y at or above the field size
 * and a sign bit on x = 0 are let through, which strict decoders refuse.
 *
 * A point needs x² = (y² - 1) / (d·y² + 1). The divisor is never 0, so a quotient is a square where the product is.
 * Its Jacobi symbol shows that without computing x, in a fifth of the time.
 */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const y = readY(bytes);
  const squared = (y * y) % FIELD;
  return jacobiSymbol(((squared + FIELD - 1n) * (D * squared + 1n)) % FIELD, FIELD) !== -1;
};

/** Little-endian, without the sign bit of x. */
const readY = (bytes: Uint8Array): bigint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const high = view.getBigUint64(24, true) & (SIGN_BIT - 1n);
  const middle = (view.getBigUint64(16, true) << 128n) | (view.getBigUint64(8, true) << 64n);
  return (high << 192n) | middle | view.getBigUint64(0, true);
};

const WORD_BITS = 32;
/** Bits that the rules of the symbol read. */
const RULE_BITS = 3;

/** 1 or -1 for a number that is or is no square modulo the odd prime, 0 for a multiple of it. */
const jacobiSymbol = (value: bigint, prime: bigint): -1 | 0 | 1 => {
  let upper = value;
  let lower = prime;
  /** Modulo 8. */
  let lowBits = Number(BigInt.asUintN(RULE_BITS, prime));
  let isNegative = false;
  while (upper !== 0n) {
    const word = Number(BigInt.asUintN(WORD_BITS, upper));
    // A word of zeros is an even power of 2, which has no sign.
    const zeros = word === 0 ? WORD_BITS : WORD_BITS - 1 - Math.clz32(word & -word);
    if (zeros > 0) upper >>= BigInt(zeros);
    // (2 / n) is -1 where n is 3 or 5 modulo 8.
    if (zeros % 2 === 1 && (lowBits === 3 || lowBits === 5)) isNegative = !isNegative;
    if (word === 0) continue;
    const bits =
      zeros <= WORD_BITS - RULE_BITS ? (word >>> zeros) & 7 : Number(BigInt.asUintN(RULE_BITS, upper));
    // Quadratic reciprocity.
    if (lowBits % 4 === 3 && bits % 4 === 3) isNegative = !isNegative;
    const rest = lower % upper;
    lower = upper;
    lowBits = bits;
    upper = rest;
  }
  if (lower !== 1n) return 0;
  return isNegative ? -1 : 1;
};
