import { isLamplightError } from "@lamplight/errors";

/** The answer of `decode`, or null where the bytes do not hold it; other errors are ours and pass. */
export const orNull = <T>(decode: () => T): T | null => {
  try {
    return decode();
  } catch (error) {
    if (isLamplightError(error, "CODEC__MALFORMED")) return null;
    throw error;
  }
};
