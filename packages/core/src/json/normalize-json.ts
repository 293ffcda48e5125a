import { floatText } from "./float-text.ts";
import { InexactNumber, parseExact } from "./parse-exact.ts";

/** Deepest nesting that the reference parser reads. */
const depthMax = 127;
const i64Min = -(2n ** 63n);
const u64Max = 2n ** 64n - 1n;

/**
 * Foreign JSON text as the reference writes it back: members sorted by their bytes, the last of duplicates kept,
 * integers of 64 bits exact, every other number as a float (`1e3` becomes `1000.0`).
 *
 * Null for what the reference refuses: no JSON, nested more than 127 deep, a float that overflows, half a surrogate pair.
 */
export const normalizeJson = (text: string): string | null => {
  try {
    return normalize(parseExact(text), depthMax);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const normalize = (value: unknown, depthLeft: number): string => {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return stringText(value);
  if (typeof value === "number")
    return Number.isInteger(value) ? integerText(BigInt(value)) : floatText(value);
  if (typeof value === "bigint") return integerText(value);
  if (value instanceof InexactNumber) return finiteText(value.value);
  if (depthLeft === 0) throw new SyntaxError("JSON is nested too deeply");
  if (Array.isArray(value)) return `[${value.map((item) => normalize(item, depthLeft - 1)).join(",")}]`;
  const members = Object.entries(value as Record<string, unknown>)
    .map(([name, member]) => ({ name, bytes: Buffer.from(name), member }))
    .toSorted((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ name, member }) => `${stringText(name)}:${normalize(member, depthLeft - 1)}`);
  return `{${members.join(",")}}`;
};

const integerText = (value: bigint): string =>
  value >= i64Min && value <= u64Max ? value.toString() : finiteText(Number(value));

const finiteText = (value: number): string => {
  if (!Number.isFinite(value)) throw new SyntaxError("number out of range");
  return floatText(value);
};

const stringText = (value: string): string => {
  if (!value.isWellFormed()) throw new SyntaxError("half a surrogate pair");
  return JSON.stringify(value);
};
