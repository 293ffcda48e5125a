import { isLamplightError } from "@lamplight/errors";

/** The registry's code of what `body` throws. */
export const codeOf = (body: () => unknown): string => {
  try {
    body();
  } catch (error) {
    if (isLamplightError(error)) return error.code;
    throw error;
  }
  return "nothing thrown";
};
