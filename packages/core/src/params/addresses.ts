import { decodeAddress } from "@lamplight/codecs";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import type { AddressBytes } from "../domain/address.ts";

/**
 * Address of one of the four account methods; refusals read as Agave's clients expect.
 *
 * @throws LamplightError `PARAM__ADDRESS`
 */
export const parseAccountAddress = (parameter: string, text: string): AddressBytes => {
  try {
    return decodeAddress(text);
  } catch (cause) {
    if (!isLamplightError(cause, "CODEC__ADDRESS")) throw cause;
    throw new LamplightError("PARAM__ADDRESS", { parameter, fault: cause.context.fault }, { cause });
  }
};

/**
 * Address in a call of an asset method.
 *
 * @throws LamplightError `PARAM__INVALID` naming the parameter
 */
export const parseAssetAddress = (parameter: string, text: string): AddressBytes => {
  try {
    return decodeAddress(text);
  } catch (cause) {
    if (!isLamplightError(cause, "CODEC__ADDRESS")) throw cause;
    const reason =
      cause.context.fault === "Invalid"
        ? "is not base58 (letters and digits without 0, O, I and l)"
        : "is not the base58 text of 32 bytes";
    throw new LamplightError("PARAM__INVALID", { parameter, position: null, reason }, { cause });
  }
};
