/** A value, or a promise of it: reads cost no promise where the answer is there at once. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on with a value at once when it is there, else when its promise is fulfilled. Ports answer at once from a store
 * in this process, and an `await` would still cost a promise and a turn per read; on the hot path that is what counts.
 */
export const whenReady = <Value, Result>(
  value: MaybePromise<Value>,
  goOn: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(goOn) : goOn(value));
