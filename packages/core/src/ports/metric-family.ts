/** One metric with its values, as plain data: it may come from another thread. */
export interface MetricFamily {
  /** As Prometheus names it. Its unit is the last word, before `_total` of a counter. */
  readonly name: string;
  /** A sentence without a period at the end. */
  readonly help: string;
  /** The kind of its values. A histogram has a value for each bucket, the sum and the count. */
  readonly type: "counter" | "gauge" | "histogram";
  /** One for each combination of labels. */
  readonly values: readonly MetricValue[];
  /** How the values of several threads become one; default: their sum. */
  readonly aggregator?: "first" | "max" | "min" | "sum";
}

/** One value of a metric. */
export interface MetricValue {
  /** In the unit of the name; NaN = not known. */
  readonly value: number;
  /** Names and values; none of them comes from a caller. */
  readonly labels: Readonly<Record<string, string | number>>;
  /** The name of a value of a histogram, as `…_bucket`; absent = that of the metric. */
  readonly metricName?: string;
}

/** A metric with one value and no labels. */
export const familyOf = (
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number,
): MetricFamily => ({ name, help, type, values: [{ value, labels: {} }] });
