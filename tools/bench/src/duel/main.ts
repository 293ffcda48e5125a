// `npm run bench -- duel …`: this project's server and another one on the same data, in turn.
import { TooBusyError } from "../bench.ts";
import { duelLines, runDuel } from "./duel.ts";
import { duelUsage, readDuelOptions } from "./duel-options.ts";

/** @returns the exit code: 0 = measured, and all answers are the same */
export const duelMain = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help")) {
    console.log(duelUsage);
    return 0;
  }
  let options;
  try {
    options = readDuelOptions(args);
  } catch (error) {
    console.error(`duel: ${error instanceof Error ? error.message : String(error)}\n${duelUsage}`);
    return 2;
  }
  try {
    const results = await runDuel(options, (line) => console.error(`  … ${line}`));
    for (const line of duelLines(results)) console.log(line);
    return results.every(({ differing }) => differing.length === 0) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof TooBusyError)) throw error;
    console.error(`duel was not measured: ${error.message}`);
    return 1;
  }
};
