// The seven rounds of BLAKE3, for one block or for four side by side.
import { get, i32, op, set } from "./wat.ts";

const permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUNDS = 7;

/** The message word of each place of each round. */
export const schedule: readonly (readonly number[])[] = (() => {
  const found = [Array.from({ length: 16 }, (_, word) => word)];
  while (found.length < ROUNDS) found.push(permutation.map((place) => found.at(-1)![place]!));
  return found;
})();

/** Every word of a local, rotated to the right. */
const rotated = (local: string, bits: number): string => {
  const value = get(local);
  if (bits === 16) {
    const bytes = Array.from({ length: 16 }, (_, byte) => String(byte ^ 2));
    return op("i8x16.shuffle", ...bytes, value, value);
  }
  // Also by eight bits: a shuffle for it would make the engine create a mask every time.
  const [right, left] = [op("i32x4.shr_u", value, i32(bits)), op("i32x4.shl", value, i32(32 - bits))];
  return op("v128.or", right, left);
};

const add = (to: string, more: string): string => set(to, op("i32x4.add", get(to), more));

const xorAndRotate = (to: string, from: string, bits: number): string[] => [
  set(to, op("v128.xor", get(to), get(from))),
  set(to, rotated(to, bits)),
];

/** A quarter round mixes four locals, and two expressions of the message. */
interface Quarter {
  readonly locals: readonly [string, string, string, string];
  readonly message: readonly [string, string];
}

/**
 * Independent quarter rounds, interleaved step by step, so that the processor can run them in parallel. The
 * message comes first, since it depends on nothing.
 */
export const mix = (quarters: readonly Quarter[]): string[] => {
  const half = (index: 0 | 1, first: number, second: number): string[] => [
    ...quarters.flatMap(({ locals: [a, b], message }) => [add(a, message[index]), add(a, get(b))]),
    ...quarters.flatMap(({ locals: [a, , , d] }) => xorAndRotate(d, a, first)),
    ...quarters.map(({ locals: [, , c, d] }) => add(c, get(d))),
    ...quarters.flatMap(({ locals: [, b, c] }) => xorAndRotate(b, c, second)),
  ];
  return [...half(0, 16, 12), ...half(1, 8, 7)];
};

/** The locals of four blocks side by side. */
export const sixteen = (name: string): string[] => Array.from({ length: 16 }, (_, word) => name + word);

/** Columns of a round (`turn` 0), or its diagonals (`turn` 1). */
export const quartersOf = (round: readonly number[], turn: 0 | 1, lanes: readonly number[]): Quarter[] =>
  lanes.map((lane) => {
    const local = (row: number): string => `state${4 * row + ((lane + turn * row) & 3)}`;
    const message = (index: number): string => get(`message${round[8 * turn + 2 * lane + index]}`);
    return { locals: [local(0), local(1), local(2), local(3)], message: [message(0), message(1)] };
  });

const allLanes = [0, 1, 2, 3];

/** @param first - columns of the first round that are not mixed yet */
export const mixAll = (first: readonly number[] = allLanes): string[] =>
  schedule.flatMap((words, round) => [
    ...mix(quartersOf(words, 0, round === 0 ? first : allLanes)),
    ...mix(quartersOf(words, 1, allLanes)),
  ]);
