import type { MetricFamily, MetricValue } from "@lamplight/core";

import { LabelPairs } from "./label-pairs.ts";

/** Seconds: from an account that lies in memory to the longest call. */
const bounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

interface Times {
  /** Times up to each bound and above the one before; the last is above all. */
  readonly counts: Float64Array;
  sum: number;
}

/**
 * A histogram of seconds with two labels. That of `prom-client` finds a bucket by its bound as text, which costs several
 * hundredths of a call.
 */
export class Timing {
  readonly #family: Pick<MetricFamily, "help" | "name">;
  readonly #times: LabelPairs<Times>;

  /** @param labels - their names */
  constructor(name: string, help: string, labels: readonly [string, string]) {
    this.#family = { name, help };
    this.#times = new LabelPairs(labels, () => ({ counts: new Float64Array(bounds.length + 1), sum: 0 }));
  }

  observe(first: string, second: string, seconds: number): void {
    const times = this.#times.of(first, second);
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++;
    times.counts[bucket]!++;
    times.sum += seconds;
  }

  get family(): MetricFamily {
    const { name } = this.#family;
    const values = this.#times.all().flatMap(({ labels, entry }) => valuesOf(name, labels, entry));
    return { ...this.#family, type: "histogram", values };
  }
}

const valuesOf = (
  name: string,
  labels: Readonly<Record<string, string>>,
  { counts, sum }: Times,
): readonly MetricValue[] => {
  let total = 0;
  const buckets = Array.from(counts, (count, bucket): MetricValue => {
    total += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: bounds[bucket] ?? "+Inf", ...labels },
      value: total,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
};
