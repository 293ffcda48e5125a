import { exitCodes } from "./failure.ts";

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Node opens a debugger on SIGUSR1 unless someone listens: whoever may signal the process could read its keys. */
export const ignoreDebuggerSignal = (): void => {
  process.on("SIGUSR1", () => undefined);
};

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP (a closed terminal). A second one, while calls under way are being finished, ends the process
 * as it would without us.
 */
export const untilStopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const each of stopSignals) process.off(each, onSignal);
      resolve(signal);
    };
    for (const each of stopSignals) process.on(each, onSignal);
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

const signalled = Symbol("stop signal received");
