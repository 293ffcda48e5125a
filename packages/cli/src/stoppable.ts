import { exitCodes } from "@lamplight/server/command";

export interface Stoppable {
  /** The work, which throws soon after `signal` is aborted; answers the exit code. */
  readonly run: (signal: AbortSignal) => Promise<number>;
  /** Says to a person that it was stopped. */
  readonly onStopped: () => void;
}

/** Work that a stop signal ends: what it throws then is no failure to be reported. */
export const runStoppable = async ({ run, onStopped }: Stoppable): Promise<number> => {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error("stopped"));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    return await run(stopping.signal);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    onStopped();
    return exitCodes.failed;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
};
