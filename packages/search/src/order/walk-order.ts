import type { CountedSet } from "../bitmap/member-set.ts";
import { isLive, type OrderList } from "./order-list.ts";

/** Where a walk upwards begins in main list and tail, and the main entry before which it ends. */
export interface Walk {
  readonly main: number;
  readonly tail: number;
  readonly end: number;
}

/** Up to `count` matches among these entries, and among what waits before them, after the first `skip`. */
export const walkUp = (
  list: OrderList,
  matches: CountedSet,
  { main, tail, end }: Walk,
  skip: number,
  count: number,
): number[] => {
  const { main: entries, live } = list;
  const { ordinals, before } = list.tail;
  const found: number[] = [];
  let left = skip;
  for (let index = main, waiting = tail; index < end; index++) {
    for (; waiting < ordinals.length && before[waiting]! <= index; waiting++)
      if (matches.has(ordinals[waiting]!) && left-- <= 0 && found.push(ordinals[waiting]!) === count)
        return found;
    if (index >= entries.length) return found;
    const ordinal = entries.get(index);
    if (isLive(live, index) && matches.has(ordinal) && left-- <= 0 && found.push(ordinal) === count)
      return found;
  }
  return found;
};

/** As `walkUp`, from just below the two ends downwards to a main entry, that one included. */
export const walkDown = (
  list: OrderList,
  matches: CountedSet,
  { main, tail, end }: Walk,
  skip: number,
  count: number,
): number[] => {
  const { main: entries, live } = list;
  const { ordinals, before } = list.tail;
  const found: number[] = [];
  let left = skip;
  for (let index = main - 1, waiting = tail - 1; index >= end; index--) {
    for (; waiting >= 0 && before[waiting]! > index; waiting--)
      if (matches.has(ordinals[waiting]!) && left-- <= 0 && found.push(ordinals[waiting]!) === count)
        return found;
    if (index < 0) return found;
    const ordinal = entries.get(index);
    if (isLive(live, index) && matches.has(ordinal) && left-- <= 0 && found.push(ordinal) === count)
      return found;
  }
  return found;
};
