import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";

const stopSignals: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP"];

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
 *
 * @param onReload - called at SIGHUP where the process has no terminal; without it, SIGHUP ends every process
 */
export const untilStopSignal = (onReload: (() => void) | null = null): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const reloads = onReload !== null && !hasTerminal();
    const stopping = stopSignals.filter((signal) => signal !== "SIGHUP" || !reloads);
    const onSignal = (signal: NodeJS.Signals): void => {
      for (const each of stopping) process.off(each, onSignal);
      resolve(signal);
    };
    for (const each of stopping) process.on(each, onSignal);
    if (reloads) process.on("SIGHUP", onReload);
  });

const standardStreams = [0, 1, 2];

/** Whether a terminal may end this process by closing. It may even if all standard streams lead elsewhere. */
const hasTerminal = (): boolean => {
  // There SIGHUP means nothing but a console that closes.
  if (process.platform === "win32" || standardStreams.some((stream) => isatty(stream))) return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
};

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
