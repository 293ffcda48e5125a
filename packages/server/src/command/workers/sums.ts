import type { MetricFamily, MetricValue } from "@lamplight/core";

import type { ServerLoad } from "../../http/http-transport.ts";
import { eventNames, type ServerCounts } from "../../log/server-events.ts";

export const sumOfCounts = (all: readonly ServerCounts[]): ServerCounts => sumOf(all, eventNames);

export const sumOfLoads = (all: readonly ServerLoad[]): ServerLoad => sumOf(all, loadNames);

/**
 * What ended workers have counted, with that of one more. Their gauges are gone with them.
 *
 * @param ended - of the workers that ended before
 */
export const endedFamilies = (
  ended: readonly MetricFamily[],
  more: readonly MetricFamily[],
): readonly MetricFamily[] => {
  const byName = new Map(ended.map((family) => [family.name, family]));
  for (const family of more) {
    if (family.type === "gauge") continue;
    const { values = [] } = byName.get(family.name) ?? {};
    byName.set(family.name, { ...family, values: sumOfValues([...values, ...family.values]) });
  }
  return [...byName.values()];
};

const sumOfValues = (all: readonly MetricValue[]): readonly MetricValue[] => {
  const sums = new Map<string, MetricValue>();
  for (const one of all) {
    const key = JSON.stringify([one.metricName, Object.entries(one.labels).toSorted()]);
    sums.set(key, { ...one, value: (sums.get(key)?.value ?? 0) + one.value });
  }
  return [...sums.values()];
};

const loadNames = [
  "connections",
  "waitingRequests",
  "waitingCalls",
  "waitingForView",
  "owedBytes",
  "bodiesBytes",
  "readViews",
  "viewQueue",
] as const satisfies readonly (keyof ServerLoad)[];

/** Member by member. */
const sumOf = <Name extends string>(
  all: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> => {
  const sum = (name: Name): number => all.reduce((total, one) => total + one[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as Record<Name, number>;
};
