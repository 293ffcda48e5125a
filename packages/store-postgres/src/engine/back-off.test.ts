import { expect, test } from "vitest";
import { BackOff } from "./back-off.ts";

/** An attempt that fails until reported otherwise, on a clock that stands still. */
const setUp = () => {
  const world = { nowMs: 0, attempts: 0, isBack: false };
  const backOff = new BackOff({ firstMs: 100, maxMs: 400, now: () => world.nowMs, random: () => 0.5 });
  const ask = (): Promise<string> =>
    backOff.attempt(async () => {
      world.attempts += 1;
      await Promise.resolve();
      if (!world.isBack) throw new Error(`away ${world.attempts}`);
      return "there";
    });
  return { world, ask };
};

test("tries ever more seldom, up to a bound, and reports those who ask in between what failed", async () => {
  const { world, ask } = setUp();
  const triedAt: number[] = [];
  for (; world.nowMs < 2000; world.nowMs += 5) {
    const before = world.attempts;
    await expect(ask()).rejects.toThrow("away");
    if (world.attempts > before) triedAt.push(world.nowMs);
  }
  // Three quarters of 100, 200, 400, 400, …
  expect(triedAt).toEqual([0, 75, 225, 525, 825, 1125, 1425, 1725]);
  world.isBack = true;
  world.nowMs = 5000;
  expect(await ask()).toBe("there");
  world.isBack = false;
  world.nowMs += 1;
  await expect(ask()).rejects.toThrow(`away ${world.attempts}`);
});

test("tries once for all who ask together, and lets them all in when it is back", async () => {
  const { world, ask } = setUp();
  await expect(ask()).rejects.toThrow("away 1");
  world.nowMs = 1000;
  const refused = await Promise.allSettled([ask(), ask(), ask()]);
  expect(world.attempts).toBe(2);
  expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  world.nowMs = 2000;
  world.isBack = true;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["there", "there", "there"]);
  expect(world.attempts).toBe(5);
});

test("failures that were under way together make no one wait longer", async () => {
  const { world, ask } = setUp();
  await Promise.allSettled([ask(), ask(), ask(), ask()]);
  expect(world.attempts).toBe(4);
  world.nowMs = 75;
  await expect(ask()).rejects.toThrow("away 5");
});
