import type { FunctionWriter } from "./wasm-writer.ts";

// Emits the seven rounds of BLAKE3, for one block or for four side by side.

const permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const rounds = 7;

/** The message word of each place of each round. */
export const schedule: readonly (readonly number[])[] = (() => {
  const found = [Array.from({ length: 16 }, (_, word) => word)];
  while (found.length < rounds) {
    const last = found.at(-1) as number[];
    found.push(permutation.map((place) => last[place] as number));
  }
  return found;
})();

/** Rotates every word of a local to the right. */
const rotate = (f: FunctionWriter, local: number, bits: number): void => {
  f.get(local);
  if (bits === 16) {
    f.get(local);
    f.shuffleBytes(Array.from({ length: 16 }, (_, byte) => byte ^ 2));
  } else {
    // Also by eight bits: a shuffle for it would make the engine create a mask every time.
    f.i32(bits);
    f.shiftRight();
    f.get(local);
    f.i32(32 - bits);
    f.shiftLeft();
    f.or();
  }
  f.set(local);
};

/** A quarter round mixes four locals, and two pushes of the message. */
interface Quarter {
  readonly words: readonly [number, number, number, number];
  readonly message: readonly [() => void, () => void];
}

/**
 * Emits independent quarter rounds, interleaved step by step, so that the processor can run them in parallel. The
 * message comes first, since it depends on nothing.
 */
export const mix = (f: FunctionWriter, quarters: readonly Quarter[]): void => {
  const add = (to: number, more: number): void => {
    f.get(to);
    f.get(more);
    f.addWords();
    f.set(to);
  };
  const xorAndRotate = (to: number, from: number, bits: number): void => {
    f.get(to);
    f.get(from);
    f.xor();
    f.set(to);
    rotate(f, to, bits);
  };
  for (const [half, first, second] of [
    [0, 16, 12],
    [1, 8, 7],
  ] as const) {
    for (const { words, message } of quarters) {
      const [a, b] = words;
      f.get(a);
      message[half]();
      f.addWords();
      f.set(a);
      add(a, b);
    }
    for (const [a, , , d] of quarters.map(({ words }) => words)) xorAndRotate(d, a, first);
    for (const [, , c, d] of quarters.map(({ words }) => words)) add(c, d);
    for (const [, b, c] of quarters.map(({ words }) => words)) xorAndRotate(b, c, second);
  }
};

/** Sixteen locals each, of four blocks side by side. */
export interface Blocks {
  readonly state: readonly number[];
  readonly message: readonly number[];
}

/** Columns of a round (`turn` 0), or its diagonals (`turn` 1). */
export const quartersOf = (
  f: FunctionWriter,
  { state, message }: Blocks,
  { words, turn, lanes }: { readonly words: readonly number[]; turn: 0 | 1; lanes: readonly number[] },
): Quarter[] => {
  const push = (place: number) => () => f.get(message[words[place] as number] as number);
  return lanes.map((lane) => ({
    words: [0, 1, 2, 3].map((row) => state[4 * row + ((lane + turn * row) & 3)]) as [
      number,
      number,
      number,
      number,
    ],
    message: [push(8 * turn + 2 * lane), push(8 * turn + 2 * lane + 1)],
  }));
};

const allLanes = [0, 1, 2, 3];

/** @param first - columns of the first round that are not mixed yet */
export const mixAll = (f: FunctionWriter, blocks: Blocks, first: readonly number[] = allLanes): void => {
  for (const [round, words] of schedule.entries()) {
    mix(f, quartersOf(f, blocks, { words, turn: 0, lanes: round === 0 ? first : allLanes }));
    mix(f, quartersOf(f, blocks, { words, turn: 1, lanes: allLanes }));
  }
};
