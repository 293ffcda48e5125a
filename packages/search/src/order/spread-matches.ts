import type { OrdinalSet } from "../bitmap/ordinal-set.ts";
import { IN_TAIL, type OrderList } from "./order-list.ts";
import { countBelow, selectWindow, type TailMatch } from "./select-window.ts";

interface SpreadMatches {
  readonly window: (from: number, count: number) => number[];
  /** Matches before these places in main list and tail. */
  readonly rankOf: (main: number, tail: number) => number;
}

/** All matches as bits by position: what deep pages are cut from. */
export const spreadMatches = (list: OrderList, matches: OrdinalSet): SpreadMatches => {
  // The others are marked if more than half match.
  const ofMembers = matches.size * 2 <= list.main.length;
  const bits = ofMembers ? new Uint32Array(list.live.length) : list.live.slice();
  matches.markPositions(list.positions, IN_TAIL, bits, ofMembers);
  const { ordinals, before } = list.tail;
  const tail: TailMatch[] = [];
  for (let index = 0; index < ordinals.length; index++)
    if (matches.has(ordinals[index]!))
      tail.push({ index, ordinal: ordinals[index]!, before: before[index]! });
  return {
    window: (from, count) => selectWindow(bits, list.main, tail, from, count),
    rankOf: (main, waiting) =>
      countBelow(bits, main) + tail.reduce((count, { index }) => count + Number(index < waiting), 0),
  };
};
