import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createTestChain } from "@lamplight/testing";
import { type Bench, type Figure, median } from "../bench.ts";
import { budgets } from "../budgets.ts";

const run = promisify(execFile);
const kinds = [
  "nft",
  "programmable-nft",
  "core",
  "token-2022",
  "compressed",
  "compressed-v2",
  "fungible",
] as const;
const ROUNDS = 5;
const MINTS = 1000;

/** Milliseconds of a process that imports the built package and creates a chain, less those of a process that does nothing. */
const coldMs = async (): Promise<number> => {
  const create = 'const { createTestChain } = await import("@lamplight/testing"); await createTestChain();';
  return median(await timesMs(() => runCode(create))) - median(await timesMs(() => runCode("")));
};

const runCode = (code: string): Promise<unknown> =>
  run(process.execPath, ["--input-type=module", "-e", code], { cwd: import.meta.dirname });

const timesMs = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
};

const createAndClose = async (): Promise<void> => {
  await (await createTestChain()).close();
};

const mintMany = async (kind: (typeof kinds)[number]): Promise<readonly Figure[]> => {
  await using chain = await createTestChain();
  const owner = chain.wallet("alice");
  const before = process.cpuUsage();
  const start = performance.now();
  for (let index = 0; index < MINTS; index += 1) await chain.mint({ kind, owner });
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const name = `1,000 mints of kind ${kind}`;
  return [
    { name, value: wallMs, unit: "ms", budget: budgets.testChainMintsMs },
    { name: `${name}: processor time`, value: (user + system) / 1000, unit: "ms" },
  ];
};

export const testingBench: Bench = {
  name: "testing",
  about: "a chain in a test process: creating it, and minting",
  run: async (say) => {
    say("the first chain of a process");
    const cold = await coldMs();
    await mintMany("core");
    const warm = median(await timesMs(createAndClose));
    const figures: Figure[] = [
      { name: "createTestChain, import included", value: cold, unit: "ms", budget: budgets.testChainColdMs },
      { name: "createTestChain, warm", value: warm, unit: "ms", budget: budgets.testChainWarmMs },
    ];
    for (const kind of kinds) {
      say(kind);
      figures.push(...(await mintMany(kind)));
    }
    return figures;
  },
};
