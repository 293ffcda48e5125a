import { writeFile } from "node:fs/promises";
import { usageError } from "@lamplight/errors";
import { findPlugin, findPrograms, findValidator } from "@lamplight/real-chain";
import { trafficLines } from "./traffic/report-traffic.ts";
import { runTraffic } from "./traffic/run-traffic.ts";
import { runAgainstUrl } from "./traffic/run-against-url.ts";
import { comparisonLines, wrongLines } from "./report-comparison.ts";
import { runAgainstAgave } from "./run-against-agave.ts";

export interface AgainstOptions {
  /** `agave`, or the URL of a node. */
  readonly against: string;
  readonly seed: number;
  /** Topics, separated by commas. */
  readonly only: string | null;
  readonly json: string | null;
  /** Minutes of transactions to follow; null = compare a chain at rest. */
  readonly traffic: number | null;
  /** Begin the validator's chain with Alpenglow. */
  readonly alpenglow: boolean;
}

/** `conformance --against agave`: answers whether nothing is wrong. */
export const runAgainst = async (options: AgainstOptions): Promise<boolean> => {
  const { against, seed, only, json, traffic, alpenglow } = options;
  if (URL.canParse(against)) return compareWithNode(against, seed);
  if (against !== "agave")
    throw usageError(`--against takes agave or the URL of a node, got ${JSON.stringify(against)}`);
  const validator = findValidator();
  if (validator === null)
    throw usageError("no solana-test-validator: put it on PATH, or name it in LAMPLIGHT_VALIDATOR");
  console.log(`seed ${seed}, ${validator}`);
  if (traffic !== null) return followTraffic(validator, traffic, seed, alpenglow);
  const topics = only === null ? {} : { topics: only.split(",") };
  const comparison = await runAgainstAgave({
    validator,
    seed,
    alpenglow,
    ...topics,
    onProgress: emitEvery(500),
  });
  for (const line of comparisonLines(comparison)) console.log(line);
  if (json !== null) await writeFile(json, `${JSON.stringify(comparison, null, 2)}\n`);
  return comparison.wrong.length === 0;
};

const compareWithNode = async (url: string, seed: number): Promise<boolean> => {
  const { asked, wrong } = await runAgainstUrl({ url, seed, say: (line) => console.error(line) });
  for (const line of wrongLines(wrong)) console.log(line);
  console.log(`${asked} asked, ${wrong.length} wrong`);
  return wrong.length === 0;
};

const followTraffic = async (
  validator: string,
  minutes: number,
  seed: number,
  alpenglow: boolean,
): Promise<boolean> => {
  const started = performance.now();
  const say = (line: string): void =>
    console.error(`${((performance.now() - started) / 1000).toFixed(0)} s: ${line}`);
  const plugin = findPlugin();
  say(plugin === null ? "no Yellowstone stream: LAMPLIGHT_GEYSER_PLUGIN names no plugin" : plugin);
  const programs = findPrograms();
  say(`${programs.length} Metaplex programs in the folder that LAMPLIGHT_PROGRAMS names`);
  const report = await runTraffic({ validator, plugin, programs, minutes, seed, alpenglow, say });
  for (const line of trafficLines(report)) console.log(line);
  return report.wrong.length === 0 && report.problems.length === 0;
};

const emitEvery =
  (every: number) =>
  (asked: number, total: number): void => {
    if (asked % every === 0) console.error(`${asked} of ${total}`);
  };
