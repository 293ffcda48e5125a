import { expect, test } from "vitest";

import { createGuessesMemory, KeyGuesses } from "./key-guesses.ts";

/** Checks until one is refused. */
const guess = (guesses: KeyGuesses, address: string): number => {
  let checked = 0;
  for (; guesses.mayCheck(address); checked++) guesses.onWrong(address);
  return checked;
};

test("wrong keys of an address are one total of all workers, and time gives checks back one by one", () => {
  const memory = createGuessesMemory();
  let now = 1000;
  const workers = Array.from({ length: 4 }, () => new KeyGuesses(10, memory, () => now));
  let checked = 0;
  for (; workers.every((worker) => worker.mayCheck("10.0.0.1")); checked++)
    workers[checked % 4]!.onWrong("10.0.0.1");
  expect(checked).toBe(20);
  expect(guess(workers[3]!, "10.0.0.2")).toBe(20);
  for (let tick = 0; tick < 100; tick++) {
    now++;
    expect(guess(workers[tick % 4]!, "10.0.0.1")).toBe(1);
  }
  now += 1000;
  expect(guess(workers[0]!, "10.0.0.1")).toBe(20);
});

test("many addresses that are slowed slow few others", () => {
  const guesses = new KeyGuesses(10, createGuessesMemory(), () => 1);
  for (let address = 0; address < 1000; address++) guess(guesses, `10.0.${address}`);
  const slowed = Array.from({ length: 10_000 }, (_, index) => guesses.mayCheck(`11.0.${index}`)).filter(
    (may) => !may,
  );
  expect(slowed.length).toBeLessThan(100);
});
