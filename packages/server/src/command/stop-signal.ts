import { exitCodes } from "./failure.ts";

/**
 * Resolves with the first SIGTERM or SIGINT. A second one, while calls under way are being finished, ends the process
 * as it would without us.
 */
export const untilStopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      process.off("SIGTERM", onSignal);
      process.off("SIGINT", onSignal);
      resolve(signal);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });

/**
 * What is opened before anything can be stopped in order: a database that does not answer, a long file. When the signal
 * comes first, the process ends at once, for nothing is under way that could be lost.
 *
 * @param stopped - resolves with the signal
 */
export const openOrEnd = async <Opened>(
  opening: Promise<Opened>,
  stopped: Promise<unknown>,
  onEnd: () => void,
): Promise<Opened> => {
  const first = await Promise.race([opening, stopped.then(() => signalled)]);
  if (first !== signalled) return first as Opened;
  // It may fail, now that nobody waits for it.
  opening.catch(() => undefined);
  onEnd();
  return process.exit(exitCodes.done);
};

const signalled = Symbol("a stop signal came");
