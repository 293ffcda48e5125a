import { usageError } from "@lamplight/errors";
import {
  type KeyLimits,
  type KeyStore,
  numberLimits,
  openKeyStore,
  readLimit,
  readMethods,
  readName,
  RecordFault,
  toKeyStoreError,
} from "@lamplight/server/command";

import { jsonOption } from "../output.ts";

/** Options that every command for keys has. */
export const keyStoreOptions = { "key-store": { type: "string" }, ...jsonOption } as const;

export const keyStoreUsage =
  "file of the keys, or postgres://… for nodes that share them; or LAMPLIGHT_KEY_STORE";

/** Options for limits. */
export const limitOptions = {
  "requests-per-second": { type: "string" },
  "units-per-second": { type: "string" },
  "requests-per-day": { type: "string" },
  "units-per-day": { type: "string" },
  concurrency: { type: "string" },
  "batch-calls": { type: "string" },
  methods: { type: "string" },
} as const;

export const limitUsage = `--requests-per-second, --units-per-second  calls and cost units a second; unused ones of one second are kept
  --requests-per-day, --units-per-day        the same a day, from 00:00 UTC
  --concurrency   requests at once; a batch is one
  --batch-calls   calls in one batch
  --methods       methods that it may call, separated by commas`;

/** The value of a limit that is none. */
const noneWord = "none";

type Flags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * The limits that are given; `none` takes one away.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const limitsOfFlags = (flags: Flags): Partial<KeyLimits> => {
  const limits: Record<string, unknown> = {};
  for (const name of numberLimits) {
    const flag = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
    const text = flags[flag];
    if (typeof text === "string") limits[name] = checked(() => readLimit(name, numberOf(text), `--${flag}`));
  }
  const { methods } = flags;
  if (typeof methods === "string") {
    const list = methods === noneWord ? null : methods.split(",").map((method) => method.trim());
    limits["methods"] = checked(() => readMethods(list, "--methods"));
  }
  return limits as Partial<KeyLimits>;
};

const numberOf = (text: string): number | null => {
  if (text === noneWord) return null;
  return /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
};

/** @throws LamplightError `CLI__USAGE` */
const checked = <Value>(read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordFault) throw usageError(error.message);
    throw error;
  }
};

/**
 * The one word of a command: the name of a key.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const nameOfWords = ([name, ...more]: readonly string[]): string => {
  if (name === undefined) throw usageError("the name of the key is missing");
  if (more.length > 0) throw usageError("there is more than one name");
  return checked(() => readName(name, "the name"));
};

const msByUnit: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Milliseconds of `30m`, `24h` or `90d`.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const durationOf = (text: string, flag: string): number => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/u.exec(text) ?? [];
  if (count === undefined) throw usageError(`${flag} must be minutes, hours or days, as 30m, 24h or 90d`);
  return Number(count) * msByUnit[unit!]!;
};

/** Characters of a time up to its day. */
const DAY_CHARS = 10;

/**
 * A time, as ISO 8601, or as a duration from now on.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const timeOf = (text: string, flag: string, direction: 1 | -1): Date => {
  if (/^\d+[mhd]$/u.test(text)) return new Date(Date.now() + direction * durationOf(text, flag));
  const time = new Date(text);
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/u.test(text) && !Number.isNaN(time.getTime());
  // The parser takes February 30 for March 2.
  if (!isTime || !time.toISOString().startsWith(text.slice(0, DAY_CHARS)))
    throw usageError(
      `${flag} must be a day or a time in UTC, as 2027-01-31 or 2027-01-31T12:00:00Z, or as 90d`,
    );
  return time;
};

/**
 * Reads a time as `timeOf` does, which must be in the future. Returns it as ISO 8601.
 *
 * @throws LamplightError `CLI__USAGE`
 */
export const timeAheadOf = (text: string, flag: string): string => {
  const time = timeOf(text, flag, 1);
  if (time.getTime() <= Date.now()) throw usageError(`${flag} is in the past: ${time.toISOString()}`);
  return time.toISOString();
};

/** Does something with the store of the flags, and closes it. */
export const withKeyStore = async <Value>(
  flags: Flags,
  use: (store: KeyStore) => Promise<Value>,
): Promise<Value> => {
  const given = flags["key-store"] ?? process.env["LAMPLIGHT_KEY_STORE"];
  if (typeof given !== "string" || given === "")
    throw usageError(
      "--key-store is missing; name the file or database of the keys there or in LAMPLIGHT_KEY_STORE",
    );
  const store = await openKeyStore(given);
  try {
    return await use(store);
  } catch (error) {
    throw toKeyStoreError(store.name, error);
  } finally {
    await store.close();
  }
};

/** Servers look once a second, so a new key holds there soon. */
export const acceptedText = "running servers accept it within 2 seconds";
