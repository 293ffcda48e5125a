const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * Without a listener, Node opens a debugger on SIGUSR1. Any process that may signal this one could then read its
 * keys.
 */
export const ignoreDebuggerSignal = (): void => {
  process.on("SIGUSR1", () => undefined);
};

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP (a closed terminal). A second signal ends the process at once, by
 * Node's default.
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
 * Opens something that may take long, such as a database that does not answer. If the signal comes first, the process
 * exits with 0 at once, because no work has started.
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
  // No caller waits for it any more, so its failure is ignored.
  opening.catch(() => undefined);
  onEnd();
  return process.exit(0);
};

const signalled = Symbol("stop signal received");
