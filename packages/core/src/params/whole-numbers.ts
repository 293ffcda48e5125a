import { InexactNumber } from "../json/parse-exact.ts";
import type { NamedParams } from "./map-params.ts";
import type { MethodParameter } from "@lamplight/contract";

/** Digits and powers of ten beyond these are no parameter of ours: the largest is a u64, of 20 digits. */
const DIGITS_MAX = 40;
const decimal = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Solana's own servers refuse `1.0` and `1e2` here. */
const strictName = "minContextSlot";

/** Integer parameters as JSON Schema means them: `1.0` and `1e2` are whole numbers. Others stay, to be refused. */
export const readWholeNumbers = (specs: readonly MethodParameter[], named: NamedParams): NamedParams => {
  for (const name in named) {
    const value = named[name];
    if (!(value instanceof InexactNumber) || name === strictName) continue;
    if (specs.find((spec) => spec.name === name)?.type !== "integer") continue;
    const whole = wholeNumber(value.text);
    if (whole !== null) named[name] = whole;
  }
  return named;
};

/** Exact value of a JSON number token; null when it is not whole, or out of all bounds. */
const wholeNumber = (text: string): number | bigint | null => {
  const parts = decimal.exec(text);
  if (parts === null) return null;
  const [, sign, integer = "", fraction = "", exponent = "0"] = parts;
  const digits = `${integer}${fraction}`.replace(/^0+(?=\d)/, "");
  const shift = digits === "0" ? 0 : Number(exponent) - fraction.length;
  if (digits.length + shift > DIGITS_MAX) return null;
  const end = digits.length + Math.min(shift, 0);
  if (end < 1 || !/^0*$/.test(digits.slice(end))) return null;
  const value = BigInt(`${sign}${digits.slice(0, end)}`) * 10n ** BigInt(Math.max(shift, 0));
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};
