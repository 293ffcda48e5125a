import { expect, test } from "vitest";
import { type ChaosOptions, ShardsChaos } from "./shards-chaos.ts";

const answers = Number(process.env["LAMPLIGHT_SHARDS_ANSWERS"] ?? 600);
const seed = Number(process.env["LAMPLIGHT_SHARDS_SEED"] ?? process.env["LAMPLIGHT_SEED"] ?? 1);

/** Every answer of a view is that of its slot; and what breaks where a part of the proof is left out. */
export const describeChaos = (newStore: () => string): void => {
  const run = (options: Omit<ChaosOptions, "url" | "seed">) =>
    new ShardsChaos({ ...options, url: newStore(), seed }).run();

  test("are those of their slot, with commits apart, writers cut off, and views held", async () => {
    const result = await run({ answers, holdBackMs: 2500, heldMs: 2000 });
    console.log(`seed ${seed}: ${JSON.stringify(result)}`);
    expect(result).toMatchObject({ wrong: [], lostAssets: 0, problems: [] });
    expect(result.answers).toBeGreaterThanOrEqual(answers);
    expect(result.cuts).toBeGreaterThan(0);
  });

  test("are refused or repeated, and never wrong, where rows are not held back", async () => {
    const result = await run({ answers: Math.min(answers, 2000), holdBackMs: 0, heldMs: 400 });
    console.log(`seed ${seed}, not held back: ${JSON.stringify(result)}`);
    expect(result).toMatchObject({ wrong: [], lostAssets: 0, problems: [] });
    expect(result.refused).toBeGreaterThan(0);
  });

  test.each(["no last look", "rows before started"] as const)(
    "are wrong with %s: this test would notice it",
    async (broken) => {
      const result = await run({ answers: 100_000, holdBackMs: 0, heldMs: 400, broken, stopsAtMixed: true });
      expect(result.mixed).toBeGreaterThan(0);
    },
  );
};
