import type { UsageRow } from "./key-store.ts";

const HOUR_MS = 3_600_000;

const header = "hour,key,method,requests,units";

/** Names of keys and methods have no character that CSV must quote. */
export const usageCsv = (rows: readonly UsageRow[]): string =>
  [header, ...rows.map(csvLine)].map((line) => `${line}\n`).join("");

const csvLine = ({ hour, key, method, requests, units }: UsageRow): string =>
  [timeOfHour(hour), key, method, requests, units].join(",");

/** @param hour - hours since 1970 in UTC */
const timeOfHour = (hour: number): string => new Date(hour * HOUR_MS).toISOString().replace(".000Z", "Z");

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
