import type { InterestBearingConfig, ScaledUiAmountConfig } from "@lamplight/codecs";
import { exactExp } from "./exact-exp.ts";

// Every operation here is one double operation of the reference, in its order: another order gives other last bits.

const SECONDS_PER_YEAR = 31_556_736;
const BASIS_POINTS = 10_000;
const I64_MIN = -(2n ** 63n);
const I64_MAX = 2n ** 63n - 1n;

/**
 * The factor from a raw amount of an interest-bearing mint to the shown one: interest up to the last rate change,
 * interest since, and decimals. Null when a span of time does not fit in 64 bits.
 */
export const interestScale = (
  config: InterestBearingConfig,
  decimals: number,
  unixTimestamp: bigint,
): number | null => {
  const before = span(config.initializationTimestamp, config.lastUpdateTimestamp);
  const since = span(config.lastUpdateTimestamp, unixTimestamp);
  if (before === null || since === null) return null;
  const factor = growth(config.preUpdateAverageRate, before) * growth(config.currentRate, since);
  return factor / powerOfTen(decimals);
};

/** A raw amount of a scaled mint as it is displayed: multiplied, cut to a whole number, then divided by the decimals. */
export const scaledAmount = (
  amount: bigint,
  config: ScaledUiAmountConfig,
  decimals: number,
  unixTimestamp: bigint,
): number => {
  const isNew = unixTimestamp >= config.newMultiplierEffectiveTimestamp;
  const multiplier = isNew ? config.newMultiplier : config.multiplier;
  return Math.trunc(Number(amount) * multiplier) / powerOfTen(decimals);
};

const span = (from: bigint, to: bigint): bigint | null => {
  const seconds = to - from;
  return seconds < I64_MIN || seconds > I64_MAX ? null : seconds;
};

/** e^(rate * time), where the product is exact before it becomes a double. */
const growth = (rateBasisPoints: number, seconds: bigint): number =>
  exactExp(Number(BigInt(rateBasisPoints) * seconds) / SECONDS_PER_YEAR / BASIS_POINTS);

/**
 * 10^decimals by repeated squaring in doubles, as the reference has it: from 33 on it often differs from the
 * correctly rounded power.
 */
const powerOfTen = (decimals: number): number => {
  let product = 1;
  let base = 10;
  for (let left = decimals; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) product *= base;
    base *= base;
  }
  return product;
};
