import { LamplightError } from "@lamplight/errors";
import { describe, expect, test } from "vitest";
import { problemWord, type StoreProblem, whenStoreAvailable } from "./when-store-available.ts";

const full = new LamplightError("STORE__FULL", { store: "a store" });
const gone = new LamplightError("STORE__UNREACHABLE", { store: "a store", reason: "gone" });

const locked = new LamplightError("STORE__FILE_LOCKED", { store: "a store" });

const startWork = (failures: readonly Error[]) => {
  const stopping = new AbortController();
  const left = [...failures];
  const said: string[] = [];
  const problems: (StoreProblem | null)[] = [];
  const work = async (): Promise<void> => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
  };
  const options = {
    signal: stopping.signal,
    say: (line: string): void => void said.push(line),
    onProblem: (problem: StoreProblem | null): void => void problems.push(problem),
  };
  return { stopping, said, problems, left, run: () => whenStoreAvailable(work, options) };
};

describe("whenStoreAvailable", () => {
  test.each([
    ["full", full],
    ["gone", gone],
    ["locked by a transaction", locked],
  ])("takes the work up until a store that is %s takes it", async (_, failure) => {
    const { said, problems, run } = startWork([failure, failure]);
    expect(await run()).toBe(true);
    expect(problems).toEqual([failure, failure, null]);
    expect(said).toEqual([
      `${failure.message}; trying again until it can be written`,
      "the store can be written again",
    ]);
  });

  test("gives up at the first failure once it is to stop", async () => {
    const { stopping, left, run } = startWork([full, full, full]);
    stopping.abort();
    expect(await run()).toBe(false);
    expect(left).toHaveLength(2);
  });

  test.each(["STORE__READ_ONLY", "STORE__LOCKED"] as const)(
    "hands on %s, which does not pass",
    async (code) => {
      const { run } = startWork([new LamplightError(code, { store: "a store" })]);
      await expect(run()).rejects.toMatchObject({ code });
    },
  );
});

test("readiness has a word for each problem that passes", () => {
  expect([null, full, gone, locked].map(problemWord)).toEqual([
    null,
    "store full",
    "store unreachable",
    "store unreachable",
  ]);
});
