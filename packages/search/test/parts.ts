import { NumberParts } from "../src/number-parts.ts";

export const partsOf = (numbers: readonly number[], partBits?: number): NumberParts => {
  const parts = new NumberParts(partBits);
  parts.resize(numbers.length);
  for (const [index, number] of numbers.entries()) parts.set(index, number);
  return parts;
};

export const numbersOf = (parts: NumberParts): number[] =>
  Array.from({ length: parts.length }, (_, index) => parts.get(index));
