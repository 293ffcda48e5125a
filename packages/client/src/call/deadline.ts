import type { CallLimits } from "./transport.ts";

const TIMEOUT_MS_DEFAULT = 30_000;

/** The longest a timer can run; more makes it fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The end of one call: its time limit, and the signal of its caller. */
export interface Deadline {
  /** Aborted by the caller's signal, or by a `TimeoutError`. */
  readonly signal: AbortSignal;
  /** Removes the timer and the listener. */
  end(): void;
}

/** Starts the clock of one call. A caller's signal may outlive thousands of calls, so nothing stays attached to it. */
export const startDeadline = ({ signal, timeoutMs = TIMEOUT_MS_DEFAULT }: CallLimits): Deadline => {
  const controller = new AbortController();
  const obey = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) obey();
  signal?.addEventListener("abort", obey, { once: true });
  const expire = (): void =>
    controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError"));
  const timer = timeoutMs > TIMER_MS_MAX ? undefined : setTimeout(expire, timeoutMs);
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", obey);
    },
  };
};

/** @throws the signal's reason, as soon as it is aborted */
export const sleep = (delayMs: number, signal: AbortSignal): Promise<void> =>
  untilAborted(signal, (resolve) => {
    const timer = setTimeout(resolve, delayMs);
    return () => clearTimeout(timer);
  });

/** The outcome of `work`, unless the signal is aborted first. @throws the signal's reason, or what `work` throws */
export const unlessAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> =>
  untilAborted(signal, (resolve, reject) => {
    work.then(resolve, reject);
    return () => {};
  });

const untilAborted = <Value>(
  signal: AbortSignal,
  start: (resolve: (value: Value) => void, reject: (reason: unknown) => void) => () => void,
): Promise<Value> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    const settle =
      <Outcome>(how: (outcome: Outcome) => void) =>
      (outcome: Outcome): void => {
        signal.removeEventListener("abort", abort);
        how(outcome);
      };
    const stop = start(settle(resolve), settle(reject));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
