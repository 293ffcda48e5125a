/** Names longer than this are not compared: a typo is short, an attack need not be. */
const COMPARED_LENGTH_MAX = 64;

/**
 * The candidate closest to `name` in edits (letter case ignored), or undefined when none is near enough to be a
 * likely slip: at most a third of the longer word's letters apart.
 */
export const nearestName = (name: string, candidates: Iterable<string>): string | undefined => {
  if (name.length === 0 || name.length > COMPARED_LENGTH_MAX) return undefined;
  const lowerName = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distanceMax = Math.min(Math.max(name.length, candidate.length) / 3, bestDistance - 1);
    const distance = editDistance(lowerName, candidate.toLowerCase(), distanceMax);
    if (distance > distanceMax) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
};

/**
 * Insertions, deletions, replacements and swaps of two neighbors that turn `a` into `b`; infinite where more than `max`
 * are certain, since a caller may send a hundred unknown names at once.
 */
const editDistance = (a: string, b: string, max: number): number => {
  if (Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  let [beforePrevious, previous, current] = [0, 1, 2].map(() => new Uint16Array(b.length + 1)) as Rows;
  for (let column = 0; column <= b.length; column++) previous[column] = column;
  let previousLeast = 0;
  for (let row = 1; row <= a.length; row++) {
    const least = fillRow(a, b, row, [beforePrevious, previous, current]);
    // A swap reaches back two rows.
    if (least > max && previousLeast > max) return Number.POSITIVE_INFINITY;
    previousLeast = least;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return previous[b.length]!;
};

type Rows = [beforePrevious: Uint16Array, previous: Uint16Array, current: Uint16Array];

/** One row of the table of distances between beginnings of both names; returns its least one. */
const fillRow = (a: string, b: string, row: number, [beforePrevious, previous, current]: Rows): number => {
  const letter = a.charCodeAt(row - 1);
  const letterBefore = a.charCodeAt(row - 2);
  let left = row;
  let least = row;
  current[0] = row;
  for (let column = 1; column <= b.length; column++) {
    const other = b.charCodeAt(column - 1);
    let distance = previous[column - 1]! + (letter === other ? 0 : 1);
    if (previous[column]! < distance) distance = previous[column]! + 1;
    if (left < distance) distance = left + 1;
    if (row > 1 && column > 1 && letter === b.charCodeAt(column - 2) && letterBefore === other)
      distance = Math.min(distance, beforePrevious[column - 2]! + 1);
    current[column] = left = distance;
    if (distance < least) least = distance;
  }
  return least;
};
