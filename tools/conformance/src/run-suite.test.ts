import { expect, test } from "vitest";
import type { Case, Overruling } from "./outcome.ts";
import { runSuite } from "./run-suite.ts";

const ruling: Overruling = {
  suite: "assets",
  cases: "fungible/*",
  differences: [/^\/interface: /, /^\/supply: /],
  reason: "so it was decided",
};

const caseOf = (name: string, ...reasons: string[]): Case => ({ name, run: async () => reasons });
const run = async (cases: readonly Case[], only: string | null = null) => {
  let isClosed = false;
  const suite = { cases, close: async () => void (isClosed = true) };
  const outcomes = await runSuite(suite, { suite: "assets", only, overruled: [ruling], onOutcome: () => {} });
  return { isClosed, outcomes: outcomes.map(({ name, status, reasons }) => [name, status, ...reasons]) };
};

test("skips a case only when everything wrong with it is what a decision changes", async () => {
  const { outcomes, isClosed } = await run([
    caseOf("fungible/same"),
    caseOf("fungible/decided", "/interface: expected A, got B", "/supply: not expected"),
    caseOf("fungible/broken", "/interface: expected A, got B", "/owner: expected C, got D"),
    caseOf("editions/other", "/interface: expected A, got B"),
  ]);
  expect(outcomes).toEqual([
    ["fungible/same", "passed"],
    ["fungible/decided", "skipped", "so it was decided"],
    ["fungible/broken", "failed", "/interface: expected A, got B", "/owner: expected C, got D"],
    ["editions/other", "failed", "/interface: expected A, got B"],
  ]);
  expect(isClosed).toBe(true);
});

test("counts a throw as a failure and goes on", async () => {
  const broken: Case = { name: "a/throws", run: () => Promise.reject(new Error("it broke")) };
  const { outcomes } = await run([broken, caseOf("a/next")]);
  expect(outcomes[0]).toEqual(["a/throws", "failed", expect.stringContaining("it broke")]);
  expect(outcomes[1]).toEqual(["a/next", "passed"]);
});

test("runs only what is asked for and shows no more than eight differences", async () => {
  const differences = Array.from({ length: 20 }, (_, index) => `/x/${index}: wrong`);
  const { outcomes } = await run([caseOf("a/many", ...differences), caseOf("b/none")], "a/*");
  expect(outcomes).toHaveLength(1);
  expect(outcomes[0]?.slice(2)).toHaveLength(9);
  expect(outcomes[0]?.at(-1)).toBe("and 12 more");
});
