import { describe, expect, test } from "vitest";
import type { ProgressOutput } from "../process/progress.ts";
import { createStageReporter, type StageState } from "./load-stages.ts";

/** The lines that are written of states at these milliseconds. */
const reportedOf = (
  states: readonly (readonly [ms: number, state: StageState])[],
  form: Pick<ProgressOutput, "isTTY" | "isJson">,
): string[] => {
  const written: string[] = [];
  let now = 0;
  const emitter = createStageReporter({ write: (text) => written.push(text), ...form }, () => now);
  for (const [ms, state] of states) {
    now = ms;
    emitter.update(state);
  }
  return written;
};
const linesOf = (states: readonly (readonly [ms: number, state: StageState])[]) =>
  reportedOf(states, { isJson: true }).map((line) => JSON.parse(line) as Record<string, unknown>);

describe("createStageReporter", () => {
  test("reports the end of every stage in a line, however short it was", () => {
    const lines = linesOf([
      [0, { stage: "read", share: 0.1, accounts: 10, bytes: 0 }],
      [1000, { stage: "read", share: 0.9, accounts: 90, bytes: 2e6 }],
      [2000, { stage: "read incremental", share: 0.5, accounts: 4, bytes: 0 }],
      [2010, { stage: "read incremental", share: 1, accounts: 8, bytes: 0 }],
      [2020, { stage: "insert", share: 0.5, accounts: 50, bytes: 0 }],
    ]);
    expect(lines.map(({ stage, percent, accounts }) => [stage, percent, accounts])).toEqual([
      ["read", 10, 10],
      ["read", 100, 90],
      ["read incremental", 50, 4],
      ["read incremental", 100, 8],
      ["insert", 50, 50],
    ]);
    expect(lines[1]).toMatchObject({ accountsPerSecond: 45, megabytesPerSecond: 1, secondsLeft: 0 });
  });

  test("counts the rate of a stage from its own beginning", () => {
    const [, , , last] = linesOf([
      [0, { stage: "read", share: 0.5, accounts: 1000, bytes: 0 }],
      [100_000, { stage: "read incremental", share: 0, accounts: 0, bytes: 0 }],
      [110_000, { stage: "read incremental", share: 0.5, accounts: 100, bytes: 0 }],
    ]);
    expect(last).toMatchObject({ accountsPerSecond: 10, secondsLeft: 10 });
  });

  test("names the steps of a stage that counts nothing, and makes up no rate", () => {
    const states: readonly (readonly [number, StageState])[] = [
      [0, { stage: "finish", share: null, step: "index asset_owner" }],
      [1, { stage: "finish", share: null, step: "check" }],
      [2, { stage: "finish", share: null, step: "check" }],
      [3, { stage: "finish", share: 1 }],
    ];
    expect(linesOf(states)).toEqual([
      { event: "progress", stage: "finish", step: "index asset_owner", percent: null, secondsLeft: null },
      { event: "progress", stage: "finish", step: "check", percent: null, secondsLeft: null },
      { event: "progress", stage: "finish", percent: 100, secondsLeft: 0 },
    ]);
    const lines = ["finish: index asset_owner", "finish: check", "finish 100 %"];
    expect(reportedOf(states, { isTTY: true }).map((line) => line.slice(4))).toEqual(lines);
    expect(reportedOf(states, {})).toEqual(lines.map((line) => `${line}\n`));
  });
});
