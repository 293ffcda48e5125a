import { FIELD, isSquare } from "./is-square.ts";

/** The constant of ed25519's curve, -x² + y² = 1 + d·x²·y². */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SIGN_BIT = 1n << 63n;

/**
 * Whether 32 bytes are the compressed form of a curve point, as the runtime asks it: a y at or above the field size
 * and a sign bit on x = 0 are let through, which strict decoders refuse.
 *
 * A point needs x² = (y² - 1) / (d·y² + 1). The divisor is never 0, so a quotient is a square where the product is.
 */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const y = readY(bytes);
  const squared = (y * y) % FIELD;
  return isSquare(((squared + FIELD - 1n) * (D * squared + 1n)) % FIELD);
};

/** Little-endian, without the sign bit of x. */
const readY = (bytes: Uint8Array): bigint => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const high = view.getBigUint64(24, true) & (SIGN_BIT - 1n);
  const middle = (view.getBigUint64(16, true) << 128n) | (view.getBigUint64(8, true) << 64n);
  return (high << 192n) | middle | view.getBigUint64(0, true);
};
