/** Names longer than this are not compared: a typo is short, an attack need not be. */
const COMPARED_LENGTH_MAX = 64;

/**
 * The candidate closest to `name` in edits (letter case ignored), or undefined when none is near enough to be a
 * likely slip: at most a third of the longer word's letters apart.
 */
export const nearestName = (name: string, candidates: Iterable<string>): string | undefined => {
  if (name.length === 0 || name.length > COMPARED_LENGTH_MAX) return undefined;
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(name.length, candidate.length) / 3) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};

/** Insertions, deletions and replacements that turn `a` into `b`. */
const editDistance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
};
