import { type Figure, median } from "../bench.ts";

/**
 * Measures contenders in rounds. The contender that comes first changes with each round, so that a drift favors none,
 * and a busy moment spoils one round only.
 *
 * @returns what was measured of each contender, by round
 */
export const inRounds = async <Contender, Value>(
  rounds: number,
  contenders: readonly Contender[],
  measure: (contender: Contender, round: number) => Promise<Value>,
  onRound: (values: readonly Value[], round: number) => void = () => undefined,
): Promise<readonly (readonly Value[])[]> => {
  const measured = contenders.map((): Value[] => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const index = (turn + round) % contenders.length;
      measured[index]!.push(await measure(contenders[index]!, round));
    }
    onRound(
      measured.map((values) => values[round]!),
      round,
    );
  }
  return measured;
};

/** The ratio of two contenders in each round. */
export const ratiosOf = <Value>(
  ours: readonly Value[],
  theirs: readonly Value[],
  valueOf: (value: Value) => number,
): readonly number[] => ours.map((value, round) => valueOf(value) / valueOf(theirs[round]!));

/** Largest chance that the median lies below the interval; as much is left above. */
const TAIL = 0.025;

/**
 * Half the width of the 95 % confidence interval of a median, by the ranks of the values: no distribution is assumed. NaN
 * of fewer than six values, which have no such interval.
 */
export const halfWidthOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = lowRank(sorted.length);
  return rank === 0 ? Number.NaN : (sorted.at(-rank)! - sorted[rank - 1]!) / 2;
};

/** The highest rank from 1 whose value exceeds the true median in at most `TAIL` of all samples; 0 = there is none. */
const lowRank = (count: number): number => {
  let rank = 0;
  let chance = 0.5 ** count;
  for (let below = chance; below <= TAIL; below += chance) {
    rank += 1;
    chance *= (count - rank + 1) / rank;
  }
  return rank;
};

/** The ratio of this build over another, with its confidence interval. */
export const ratioFigure = (name: string, ratios: readonly number[]): Figure => ({
  name,
  value: median(ratios),
  unit: `${intervalText(halfWidthOf(ratios))} (${ratios.length} rounds)`,
});

const intervalText = (halfWidth: number): string =>
  Number.isNaN(halfWidth) ? "×, too few for an interval" : `± ${halfWidth.toFixed(3)} ×, 95 %`;
