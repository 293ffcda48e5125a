import { TooBusyError } from "../bench.ts";
import { askForAll } from "../harness/load.ts";

/** So few that a cold server refuses none, and so many that every worker has some: the system spreads them by a hash. */
const CONNECTIONS = 8;
const ROUNDS_MIN = 2;
const ROUNDS_MAX = 10;

/** Asks for everything that is measured, by count and not by time, until a whole round is answered. */
export const warmUp = async (url: URL, bodies: readonly string[]): Promise<void> => {
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const refusals = await askForAll(url, bodies, CONNECTIONS);
    if (refusals === 0 && round >= ROUNDS_MIN) return;
  }
  throw new TooBusyError(`calls over ${CONNECTIONS} connections are refused again and again`);
};
