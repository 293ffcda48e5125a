// `npm run bench -- reads …`: this project's server and another one on the same data, in turn.
import { loadavg } from "node:os";
import { TooBusyError } from "../bench.ts";
import { runReads } from "./compare-reads.ts";
import { parseReadsOptions, readsUsage } from "./reads-options.ts";
import { exportMain } from "./export.ts";
import { reportOf } from "./report.ts";

/** @returns the exit code: 0 = measured, and all answers are as they should be */
export const readsMain = async (args: readonly string[]): Promise<number> => {
  if (args[0] === "export") return exportMain(args.slice(1));
  if (args.includes("--help")) {
    console.log(readsUsage);
    return 0;
  }
  let options;
  try {
    options = parseReadsOptions(args);
  } catch (error) {
    console.error(`reads: ${error instanceof Error ? error.message : String(error)}\n${readsUsage}`);
    return 2;
  }
  try {
    const before = loadText();
    const results = await runReads(options, (line) => console.error(`  … ${line}`));
    console.log(reportOf(results, options.peer.name));
    console.log(`\nLoad average of the machine: ${before} before, ${loadText()} after.`);
    return results.every(({ wrong }) => wrong === 0) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TooBusyError)) throw error;
    console.error(`reads was not measured: ${error.message}`);
    return 1;
  }
};

/** The load average of the last minute. */
const loadText = (): string => (loadavg()[0] ?? 0).toFixed(1);
