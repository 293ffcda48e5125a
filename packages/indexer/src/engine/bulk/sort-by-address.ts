import type { AddressBytes } from "@lamplight/core";

/**
 * Ascending by an address of each item. The first 48 bits, which are a number, decide nearly always; comparing bytes
 * by a call into the engine would be most of the cost.
 *
 * @param then - order of items whose addresses are the same
 */
export const sortedByAddress = <Item>(
  items: readonly Item[],
  addressOf: (item: Item) => AddressBytes,
  then: (a: Item, b: Item) => number = () => 0,
): Item[] => {
  const keyed = items.map((item) => ({ item, prefix: prefixOf(addressOf(item)) }));
  keyed.sort(
    (a, b) =>
      a.prefix - b.prefix || Buffer.compare(addressOf(a.item), addressOf(b.item)) || then(a.item, b.item),
  );
  return keyed.map(({ item }) => item);
};

const prefixOf = (address: AddressBytes): number =>
  ((((address[0] as number) << 24) |
    ((address[1] as number) << 16) |
    ((address[2] as number) << 8) |
    (address[3] as number)) >>>
    0) *
    2 ** 16 +
  (((address[4] as number) << 8) | (address[5] as number));
