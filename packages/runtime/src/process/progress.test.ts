import { describe, expect, test } from "vitest";
import { createProgress, type ProgressOutput } from "./progress.ts";

const runWith = (
  form: Pick<ProgressOutput, "isTTY" | "isJson">,
): { written: string[]; at: (ms: number, done: number, count: number) => void; end: () => void } => {
  let now = 1000;
  const written: string[] = [];
  const output = { ...form, write: (text: string) => written.push(text) };
  const progress = createProgress("accounts", output, () => now);
  const at = (ms: number, done: number, count: number): void => {
    now = 1000 + ms;
    progress.update({ done, total: 1000, count });
  };
  return { written, at, end: () => progress.end() };
};

describe("createProgress", () => {
  test("writes JSON lines with share, rate and remaining time for programs", () => {
    const { written, at, end } = runWith({ isJson: true });
    at(4999, 100, 50);
    at(5000, 250, 500);
    at(9000, 500, 1000);
    at(10_000, 500, 1000);
    end();
    expect(written.map((line) => JSON.parse(line))).toEqual([
      { event: "progress", accounts: 500, percent: 25, perSecond: 100, secondsLeft: 15 },
      { event: "progress", accounts: 1000, percent: 50, perSecond: 100, secondsLeft: 10 },
    ]);
  });

  test("writes lines of text where the output is no terminal", () => {
    const { written, at, end } = runWith({});
    at(5000, 250, 500);
    at(9000, 500, 1000);
    end();
    expect(written).toEqual(["500 accounts, 25 %, 100/s, 15 s left\n"]);
  });

  test("rewrites one line on a terminal and takes it away at the end", () => {
    const { written, at, end } = runWith({ isTTY: true });
    at(50, 1, 1);
    at(200, 0, 0);
    at(400, 500, 40);
    end();
    end();
    expect(written).toEqual([
      "\r\u001B[K0 accounts, 0 %, 0/s, ? s left",
      "\r\u001B[K40 accounts, 50 %, 100/s, 1 s left",
      "\r\u001B[K",
    ]);
  });
});
