import { type AnswerTo, type Read, type ReadKind, type ReadOf, reads } from "../ports/reads.ts";

/** A step that a method yields: a read, several in one round, or something that is not for the store. */
export type Step = Read | ReadAll | Open | Pause | Slice | Rows | Compress;

interface ReadAll {
  readonly kind: "all";
  readonly reads: readonly Read[];
}

/** Nothing is read yet, but the members of `Call` that belong to a slot are known from then on. */
interface Open {
  readonly kind: "open";
}

/** Other calls may run before this one goes on. */
interface Pause {
  readonly kind: "pause";
}

/** Parts of the answer are finished. Other calls may run. */
interface Slice {
  readonly kind: "slice";
  /** Bytes of each part. */
  readonly sizes: readonly number[];
}

/** Bytes were read that are not all part of the answer. */
interface Rows {
  readonly kind: "rows";
  readonly bytes: number;
  readonly cheaper: string | undefined;
}

/** Work of other threads: zstd frames of these data. */
interface Compress {
  readonly kind: "compress";
  readonly data: readonly Uint8Array[];
}

/** A method, or a part of one, while it runs: it yields what it needs, and then ends with its result. */
export type Steps<Result> = Generator<Step, Result, unknown>;

/** Yielded as it is: `yield pause`. It can be yielded for each item of a list. */
export const pause: Pause = { kind: "pause" };

/** Yielded as it is, where something is decided before the first read. */
export const open: Open = { kind: "open" };

type ReadSteps = {
  readonly [Kind in ReadKind]: (...asked: Parameters<(typeof reads)[Kind]>) => Steps<AnswerTo<Kind>>;
};

const stepsOf = (make: (...asked: never[]) => Read) =>
  function* one(...asked: never[]): Steps<unknown> {
    return yield make(...asked);
  };

/**
 * Reads by kind: `const account = yield* read.account(address)`. An error that the store throws ends the call: a method
 * has nothing to catch.
 */
export const read = Object.fromEntries(
  Object.entries(reads).map(([kind, make]) => [kind, stepsOf(make)]),
) as unknown as ReadSteps;

/** Several reads of one kind in one round, answered in their order. */
export function* readAll<Kind extends ReadKind>(
  asked: readonly ReadOf<Kind>[],
): Steps<readonly AnswerTo<Kind>[]> {
  if (asked.length === 0) return [];
  return (yield {
    kind: "all",
    reads: asked as readonly unknown[] as readonly Read[],
  }) as readonly AnswerTo<Kind>[];
}

/** Hands over finished parts of the answer, by their bytes. */
export const slice = (sizes: readonly number[]): Slice => ({ kind: "slice", sizes });

/**
 * Reports bytes that were read but are not all answered.
 *
 * @param cheaper - names what takes fewer of them; default: what takes a smaller answer
 */
export const rows = (bytes: number, cheaper?: string): Rows => ({ kind: "rows", bytes, cheaper });

/** Base64 of the zstd frame of each, byte for byte as Agave answers it. */
export function* compress(data: readonly Uint8Array[]): Steps<readonly string[]> {
  return (yield { kind: "compress", data }) as readonly string[];
}
