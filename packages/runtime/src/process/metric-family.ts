/** One metric with its values, as plain data: it may come from another thread. Its name ends with its unit. */
export interface MetricFamily {
  readonly name: string;
  /** A sentence without a period at the end. */
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly values: readonly MetricValue[];
  /** How the values of several threads become one; default: their sum. */
  readonly aggregator?: "first" | "max" | "min" | "sum";
}

export interface MetricValue {
  /** NaN = not known. */
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The name of a value of a histogram, as `…_bucket`. */
  readonly metricName?: string;
}

/** A metric with one value and no labels. */
export const familyOf = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number,
): MetricFamily => ({ name, help, type, values: [{ value, labels: {} }] });
