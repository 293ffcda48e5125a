import type { Account } from "@lamplight/core";

/**
 * Pairs the accounts of two sides by address; null where a side has none. Both sides ascend in the order of stores
 * and snapshots: by the first byte as a signed number, then byte by byte.
 */
export async function* pairByAddress(
  left: AsyncIterator<Account>,
  right: AsyncIterator<Account>,
): AsyncGenerator<readonly [left: Account | null, right: Account | null]> {
  try {
    let [a, b] = [await take(left), await take(right)];
    while (a !== null || b !== null) {
      const order = compareEnds(a, b);
      yield [order <= 0 ? a : null, order >= 0 ? b : null];
      if (order <= 0) a = await take(left);
      if (order >= 0) b = await take(right);
    }
  } finally {
    await left.return?.();
    await right.return?.();
  }
}

const take = async (side: AsyncIterator<Account>): Promise<Account | null> => {
  const { done, value } = await side.next();
  return done === true ? null : (value as Account);
};

/** A side without further accounts comes last. */
const compareEnds = (a: Account | null, b: Account | null): number => {
  if (a === null) return 1;
  return b === null ? -1 : compareAddresses(a.address, b.address);
};

const compareAddresses = (a: Uint8Array, b: Uint8Array): number => {
  const first = ((a[0] as number) ^ 0x80) - ((b[0] as number) ^ 0x80);
  return first === 0 ? Buffer.compare(a, b) : first;
};
