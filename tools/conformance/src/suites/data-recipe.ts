import { LamplightError } from "@lamplight/errors";

/**
 * Bytes from a description in words, for data too large to write out: parts separated by `;`, each `u8 N`, `u64 N`,
 * or `N bytes all zero except byte I = 0xHH and byte J = 0xHH`.
 *
 * @throws LamplightError `CODEC__MALFORMED` for a part that is neither
 */
export const bytesOfRecipe = (recipe: string): Uint8Array =>
  Buffer.concat(recipe.split(";").map((part) => partBytes(part.trim())));

const partBytes = (part: string): Buffer => {
  const integer = /^u(8|16|32|64) (\d+)$/.exec(part);
  if (integer !== null) return integerBytes(Number(integer[1]) / 8, BigInt(integer[2] ?? 0));
  const zeros = /^(\d+) bytes all zero(?: except (.*))?$/.exec(part);
  if (zeros === null)
    throw new LamplightError("CODEC__MALFORMED", { kind: "recipe", reason: JSON.stringify(part) });
  const bytes = Buffer.alloc(Number(zeros[1]));
  for (const [, index, value] of (zeros[2] ?? "").matchAll(/byte (\d+) = 0x([0-9a-fA-F]{2})/g)) {
    bytes[Number(index)] = Number.parseInt(value ?? "0", 16);
  }
  return bytes;
};

const integerBytes = (length: number, value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes.subarray(0, length);
};
