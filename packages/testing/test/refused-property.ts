import { isLamplightError } from "@lamplight/errors";

/** The property that a refused operation names; null where the operation succeeds. */
export const refusedProperty = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (!isLamplightError(error, "CHAIN__INVALID_INPUT")) throw error;
    return (error.context as { readonly property: string }).property;
  }
};
