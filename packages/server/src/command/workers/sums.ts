import type { ServerLoad } from "../../http/http-transport.ts";
import { eventNames, type ServerCounts } from "../../log/server-events.ts";

export const sumOfCounts = (all: readonly ServerCounts[]): ServerCounts => sumOf(all, eventNames);

export const sumOfLoads = (all: readonly ServerLoad[]): ServerLoad => sumOf(all, loadNames);

const loadNames = [
  "connections",
  "waitingRequests",
  "waitingCalls",
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
