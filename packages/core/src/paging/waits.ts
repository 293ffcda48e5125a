import { brokenInvariant } from "@lamplight/errors";

/** Steps to a result. They yield what they wait for; `never`: they wait for nothing. */
export type Waits<Result, Yielded = Promise<unknown>> = Generator<Yielded, Result, unknown>;

/** Steps that need not wait for their result. */
// oxlint-disable-next-line require-yield -- it waits for nothing
export function* atOnce<Value>(value: Value): Waits<Value, never> {
  return value;
}

/** Waits for a promise within such steps. */
export function* waitFor<Value>(value: Promise<Value>): Waits<Value> {
  return (yield value) as Value;
}

/** The result of steps that wait for nothing. */
export const resultOf = <Result>(steps: Waits<Result, never>): Result => {
  const { done, value } = steps.next();
  if (done !== true) throw brokenInvariant("these steps wait for nothing");
  return value;
};

/** The result of steps that wait. */
export const waitForResult = async <Result>(steps: Waits<Result>): Promise<Result> => {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await step.value);
  return step.value;
};
