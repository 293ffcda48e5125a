import type { OrdinalSet } from "../bitmap/ordinal-set.ts";
import type { OrderList } from "./order-list.ts";

/** Steps of a walk that cost as much as spreading all matches over a scratch bitmap would at worst. */
export const WALK_STEPS_MAX = 50_000;

/**
 * Null when the steps are used up before enough matches were found; these may all be at the far end.
 *
 * @param main - index of the first entry to read; @param tail - the same in the tail
 */
export const walkUp = (
  list: OrderList,
  matches: OrdinalSet,
  main: number,
  tail: number,
  skip: number,
  count: number,
): number[] | null => {
  const { main: entries, positions } = list;
  const { ordinals, before } = list.tail;
  const found: number[] = [];
  const lastStep = main + WALK_STEPS_MAX * 2;
  let left = skip;
  for (let index = main, waiting = tail; ; index++) {
    for (; waiting < ordinals.length && before[waiting]! <= index; waiting++)
      if (matches.has(ordinals[waiting]!) && left-- <= 0 && found.push(ordinals[waiting]!) === count)
        return found;
    if (index >= entries.length) return found;
    if (index > lastStep) return null;
    const ordinal = entries[index]!;
    if (positions[ordinal] === index && matches.has(ordinal) && left-- <= 0 && found.push(ordinal) === count)
      return found;
  }
};

/** As `walkUp`, from just below the two ends downwards. */
export const walkDown = (
  list: OrderList,
  matches: OrdinalSet,
  endMain: number,
  endTail: number,
  skip: number,
  count: number,
): number[] | null => {
  const { main: entries, positions } = list;
  const { ordinals, before } = list.tail;
  const found: number[] = [];
  const lastStep = endMain - WALK_STEPS_MAX * 2;
  let left = skip;
  for (let index = endMain - 1, waiting = endTail - 1; ; index--) {
    for (; waiting >= 0 && before[waiting]! > index; waiting--)
      if (matches.has(ordinals[waiting]!) && left-- <= 0 && found.push(ordinals[waiting]!) === count)
        return found;
    if (index < 0) return found;
    if (index < lastStep) return null;
    const ordinal = entries[index]!;
    if (positions[ordinal] === index && matches.has(ordinal) && left-- <= 0 && found.push(ordinal) === count)
      return found;
  }
};
