// Powers that turn 32 bytes into base 58^5 digits and back with doubles only. Bytes are taken as 16 halves of
// 16 bits: 16 products of 2^16 and 58^5 stay below 2^53, which 32-bit words would not.

export const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Base58 digits in one group. */
export const GROUP_DIGITS = 5;
/** 58^5. */
export const GROUP_BASE = 656_356_768;
/** Groups that hold any 32-byte value: 45 digits, one more than the longest address has. */
export const ADDRESS_GROUPS = 9;
/** 16-bit halves of 32 bytes. */
export const ADDRESS_HALVES = 16;

/** Row g, column i: half i of (58^5)^(8 - g); most significant first. */
export const halfPowers: Float64Array = digitTable(
  ADDRESS_GROUPS,
  ADDRESS_HALVES,
  BigInt(GROUP_BASE),
  1n << 16n,
);

function digitTable(rows: number, columns: number, rowBase: bigint, columnBase: bigint): Float64Array {
  const table = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    let rest = rowBase ** BigInt(rows - 1 - row);
    for (let column = columns - 1; column >= 0; column -= 1) {
      table[row * columns + column] = Number(rest % columnBase);
      rest /= columnBase;
    }
  }
  return table;
}
