/** The exit code of a failed command. */
const STOPPED_EXIT_CODE = 1;

export interface Stoppable {
  /** Throws soon after `signal` is aborted; otherwise returns the exit code. */
  readonly run: (signal: AbortSignal) => Promise<number>;
  /** Called to report to the user that the work was stopped. */
  readonly onStopped: () => void;
}

/** Runs work until it is done, or until SIGINT or SIGTERM. An error after the signal is not reported as a failure. */
export const runStoppable = async ({ run, onStopped }: Stoppable): Promise<number> => {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error("stopped"));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    return await run(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    onStopped();
    return STOPPED_EXIT_CODE;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
};
