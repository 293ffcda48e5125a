import type { TokenAmount } from "@lamplight/contract";
import { LamplightError } from "@lamplight/errors";
import { JsonFloat, type JsonOf } from "../json/json-text.ts";
import { integerText, roundedText } from "./decimal-text.ts";
import { interestScale, scaledAmount } from "./display-scale.ts";
import type { MintView } from "./mint-view.ts";

/** 10^19 is the last power of ten below 2^64; beyond it there is no uiAmount. */
const EXACT_POWER_MAX = 19;
const exactPowers = Array.from({ length: EXACT_POWER_MAX + 1 }, (_, power) => Number(10n ** BigInt(power)));
const U64_MAX = 2n ** 64n - 1n;

/**
 * The token amount object, in wire order: raw digits, decimals, and the amount as the mint displays it at
 * `unixTimestamp` (the Clock sysvar's of the slot that is read).
 *
 * @param amount - raw units, 0 to 2^64 - 1
 * @throws {LamplightError} `CODEC__AMOUNT_OUT_OF_RANGE` outside that range
 */
export const shapeTokenAmount = (
  amount: bigint,
  mint: MintView,
  unixTimestamp: bigint,
): JsonOf<TokenAmount> => {
  if (amount < 0n || amount > U64_MAX) {
    throw new LamplightError("CODEC__AMOUNT_OUT_OF_RANGE", { amount, decimals: mint.decimals });
  }
  const { uiAmount, uiAmountString } = displayAmount(amount, mint, unixTimestamp);
  return {
    amount: amount.toString(),
    decimals: mint.decimals,
    uiAmount: uiAmount === null ? null : new JsonFloat(uiAmount),
    uiAmountString,
  };
};

interface DisplayAmount {
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

/** Interest wins over a multiplier where a mint has both. */
const displayAmount = (amount: bigint, mint: MintView, unixTimestamp: bigint): DisplayAmount => {
  if (mint.interestBearing !== null) {
    const scale = interestScale(mint.interestBearing, mint.decimals, unixTimestamp);
    return scale === null
      ? { uiAmount: null, uiAmountString: "" }
      : readBack(roundedText(Number(amount) * scale, mint.decimals));
  }
  if (mint.scaled !== null) {
    return readBack(
      roundedText(scaledAmount(amount, mint.scaled, mint.decimals, unixTimestamp), mint.decimals),
    );
  }
  const power = exactPowers[mint.decimals];
  return {
    uiAmount: power === undefined ? null : Number(amount) / power,
    uiAmountString: integerText(amount, mint.decimals),
  };
};

/** The float that the text reads as; the words for infinities and NaN are null on the wire. */
const readBack = (uiAmountString: string): DisplayAmount => {
  const uiAmount = Number(uiAmountString);
  return { uiAmount: Number.isFinite(uiAmount) ? uiAmount : null, uiAmountString };
};
