import type { Difference } from "./differences.ts";

/** A difference that is known, and whose doing it is. */
export interface Decided {
  readonly path: RegExp;
  /** Some values at this path only. */
  readonly when?: (difference: Difference) => boolean;
  readonly reason: string;
}

const decided: readonly Decided[] = [
  {
    path: /^result$/u,
    when: ({ ours, theirs }) => ours === "null" && /^\{"context":.*,"value":null\}$/u.test(theirs ?? ""),
    reason:
      "ours: the contract's answer for a missing account; Solana client libraries get an object with null",
  },
  {
    path: /\.supply\.print_(?:max|current)_supply$/u,
    when: ({ theirs }) => theirs === "0",
    reason: "theirs: das_api always answers 0; ours reads the master edition",
  },
  {
    path: /\.supply\.edition_number$/u,
    when: ({ theirs }) => theirs === null,
    reason: "ours: the number of a print, which das_api does not answer",
  },
  {
    path: /\.uses\.use_method$/u,
    when: ({ ours, theirs }) => ours === theirs?.toLowerCase(),
    reason: "ours: lower case; das_api capitalizes",
  },
  {
    path: /^result\.total$/u,
    when: ({ ours, theirs }) => Number(ours) > Number(theirs),
    reason: "theirs: das_api counts the rows of the page; ours counts all matches",
  },
  {
    path: /^result\.cursor$/u,
    when: ({ theirs }) => theirs === null,
    reason: "ours: every page but the last has a cursor; das_api has none with `page`",
  },
  {
    path: /(?:Amount|amount)\.uiAmount(?:String)?$/u,
    reason: "neither: interest since the store's slot, by the clock of a node that runs on",
  },
  {
    path: /^result\.value\[\]\.lamports$/u,
    when: ({ ours, theirs }) => Number(theirs) < Number(ours),
    reason: "neither: a validator pays for its votes after the store's slot",
  },
];

/** Null when it is not known. */
export const reasonFor = (difference: Difference): string | null =>
  decided.find(({ path, when }) => path.test(difference.path) && (when?.(difference) ?? true))?.reason ??
  null;
