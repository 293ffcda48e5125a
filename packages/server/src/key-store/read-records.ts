import { nearestName } from "@lamplight/core";

import { meteredMethods } from "./key-costs.ts";
import {
  type KeyLimits,
  type KeyRecord,
  limitMaxima,
  type NumberLimit,
  noLimits,
  numberLimits,
  STORED_KEYS_MAX,
} from "./key-record.ts";

/** A place in a key store, and what is wrong there. */
export class RecordFault extends Error {
  readonly field: string;
  readonly reason: string;

  constructor(field: string, reason: string) {
    super(`${field} ${reason}`);
    this.field = field;
    this.reason = reason;
  }
}

/** It begins with a letter or digit, so that no spreadsheet takes it for a formula, and is no name of the language. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;
const hashPattern = /^[0-9a-f]{64}$/u;
/** Characters of a time up to its seconds. */
const SECONDS_CHARS = 19;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/u;

/**
 * Reads the records of a store, which people may have edited. What is not known is refused: a misspelt limit must not
 * be no limit.
 *
 * @param value - parsed JSON
 * @throws RecordFault with the first fault
 */
export const readRecords = (value: unknown): readonly KeyRecord[] => {
  if (!Array.isArray(value)) throw new RecordFault("keys", "must be a list");
  if (value.length > STORED_KEYS_MAX) throw new RecordFault("keys", `has more than ${STORED_KEYS_MAX} keys`);
  const records = value.map((one, index) => readRecord(one, `keys[${index}]`));
  const [names, hashes] = [new Set<string>(), new Set<string>()];
  for (const [index, { name, hash, previous }] of records.entries()) {
    if (names.has(name)) throw new RecordFault(`keys[${index}].name`, `is given twice: ${name}`);
    names.add(name);
    for (const one of previous === null ? [hash] : [hash, previous.hash]) {
      if (hashes.has(one)) throw new RecordFault(`keys[${index}].hash`, "is given twice");
      hashes.add(one);
    }
  }
  return records;
};

/** @throws RecordFault */
const readRecord = (value: unknown, at: string): KeyRecord => {
  const {
    name,
    hash,
    created,
    expires = null,
    disabled = null,
    previous = null,
    limits = null,
  } = membersOf(value, at, recordMembers);
  return {
    name: readName(name, `${at}.name`),
    hash: readText(hash, `${at}.hash`, hashPattern, "must be a SHA-256 in hex"),
    created: readTime(created, `${at}.created`),
    expires: expires === null ? null : readTime(expires, `${at}.expires`),
    disabled: disabled === null ? null : readTime(disabled, `${at}.disabled`),
    previous: previous === null ? null : readPrevious(previous, `${at}.previous`),
    limits: limits === null ? noLimits : readLimits(limits, `${at}.limits`),
  };
};

/** @throws RecordFault */
export const readName = (value: unknown, at: string): string =>
  readText(
    value,
    at,
    namePattern,
    "must be 1 to 64 letters, digits or any of . _ -, and begin with a letter or digit",
  );

const recordMembers = ["name", "hash", "created", "expires", "disabled", "previous", "limits"];

const readPrevious = (value: unknown, at: string): NonNullable<KeyRecord["previous"]> => {
  const { hash, until } = membersOf(value, at, ["hash", "until"]);
  return {
    hash: readText(hash, `${at}.hash`, hashPattern, "must be a SHA-256 in hex"),
    until: readTime(until, `${at}.until`),
  };
};

const readLimits = (value: unknown, at: string): KeyLimits => {
  const given = membersOf(value, at, Object.keys(noLimits));
  const numbers = Object.fromEntries(
    numberLimits.map((name) => [name, readLimit(name, given[name] ?? null, `${at}.${name}`)]),
  ) as Record<NumberLimit, number | null>;
  return { ...numbers, methods: readMethods(given["methods"] ?? null, `${at}.methods`) };
};

/** @throws RecordFault */
export const readLimit = (name: NumberLimit, value: unknown, at: string): number | null => {
  if (value === null) return null;
  const isFit =
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= limitMaxima[name];
  if (!isFit) throw new RecordFault(at, `must be an integer from 1 to ${limitMaxima[name]}`);
  return value;
};

/** @throws RecordFault */
export const readMethods = (value: unknown, at: string): readonly string[] | null => {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length === 0) throw new RecordFault(at, "must be a list of methods");
  for (const [index, method] of value.entries()) {
    if (typeof method !== "string") throw new RecordFault(`${at}[${index}]`, "must be the name of a method");
    if (meteredMethods.includes(method)) continue;
    const shown = method.slice(0, 64);
    const nearest = nearestName(shown, meteredMethods);
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    throw new RecordFault(at, `has the unknown method ${JSON.stringify(shown)}${hint}`);
  }
  return [...new Set(value as string[])];
};

const membersOf = (value: unknown, at: string, known: readonly string[]): Record<string, unknown> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RecordFault(at, "must be an object");
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new RecordFault(at, `has the unknown member ${JSON.stringify(unknown.slice(0, 64))}`);
  return value as Record<string, unknown>;
};

const readText = (value: unknown, at: string, pattern: RegExp, reason: string): string => {
  if (typeof value !== "string" || !pattern.test(value)) throw new RecordFault(at, reason);
  return value;
};

const readTime = (value: unknown, at: string): string => {
  const text = readText(value, at, timePattern, "must be a time in UTC, as 2027-01-31T00:00:00Z");
  const ms = Date.parse(text);
  // The parser takes February 30 for March 2.
  const isOfCalendar =
    !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, SECONDS_CHARS));
  if (!isOfCalendar) throw new RecordFault(at, "is no time of the calendar");
  return text;
};
