import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Turns whose clock goes on only where the test uses a turn up: a slow machine changes nothing. */
const turnsByHand = (): { readonly turns: Turns; useUp(): void } => {
  let now = 1;
  const turns = new Turns(() => now);
  return {
    turns,
    useUp: () => {
      while (!turns.isUsedUp()) now += 1;
    },
  };
};

/** Counts rounds of the event loop until stopped. */
const countRounds = (): { readonly rounds: () => number; stop: () => void } => {
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return { rounds: () => rounds, stop: () => (isOver = true) };
};

test("every interrupted call has a round of the event loop of its own, in order", async () => {
  const { turns, useUp } = turnsByHand();
  const { rounds, stop } = countRounds();
  const seen: [name: string, round: number][] = [];
  const work = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 3; slice++) {
      if (turns.isUsedUp()) await turns.next();
      useUp();
      seen.push([name, rounds()]);
    }
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  stop();
  expect(seen.map(([name]) => name).join("")).toBe("aabcabcbc");
  expect(new Set(seen.map(([, round]) => round)).size).toBe(seen.length);
});

test("new calls start before interrupted ones go on, as long as the turn lasts", async () => {
  const { turns, useUp } = turnsByHand();
  const order: string[] = [];
  useUp();
  await new Promise<void>((resolve) => {
    turns.later(() => order.push("interrupted 1"));
    turns.later(() => {
      order.push("interrupted 2");
      resolve();
    });
    turns.start(() => order.push("new 1"));
    turns.start(() => {
      order.push("new 2");
      useUp();
    });
    turns.start(() => order.push("new 3"));
  });
  expect(order).toEqual(["new 1", "new 2", "interrupted 1", "new 3", "interrupted 2"]);
});

test("a turn begins with the first question after the event loop went round", async () => {
  const { turns, useUp } = turnsByHand();
  useUp();
  expect(turns.isUsedUp()).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(turns.isUsedUp()).toBe(false);
});

test("replies that are being sent share the turns of interrupted calls, and do not count as such", async () => {
  const { turns, useUp } = turnsByHand();
  useUp();
  const over = [turns.next(), turns.nextOfReply(), turns.nextOfReply()].map(async (turn, index) => {
    await turn;
    return [index, turns.interrupted] as const;
  });
  expect(turns.interrupted).toBe(1);
  expect(await Promise.all(over)).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
});
