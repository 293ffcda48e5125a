/**
 * Work in slices of a few milliseconds at most: anyone who runs it may let others have their turn between two `next`
 * calls. The result of the work counts once it is done; until then everything else stays as it was.
 */
export type Slices<Result = void> = Generator<void, Result, void>;

/** Entries read in one slice. */
export const SLICE_ENTRIES = 1 << 14;

/** All slices in one go, where no one waits. */
export const runThrough = <Result>(slices: Slices<Result>): Result => {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
};

/** Bounds of the slices of a list with so many entries. */
export const sliceBounds = (
  length: number,
  entries = SLICE_ENTRIES,
): readonly (readonly [from: number, to: number])[] =>
  Array.from({ length: Math.ceil(length / entries) }, (_, slice) => [
    slice * entries,
    Math.min(length, (slice + 1) * entries),
  ]);
