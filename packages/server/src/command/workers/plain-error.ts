import { type ErrorCode, type ErrorContext, isLamplightError, LamplightError } from "@lamplight/errors";

/** An error on its way to another thread: a structured clone keeps neither our class nor its code. */
export interface PlainError {
  /** With its context where it is one of ours; null for any other. */
  readonly ours: { readonly code: ErrorCode; readonly context: ErrorContext<ErrorCode> } | null;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly cause: PlainError | null;
}

/** Longest chain of causes; further ones are dropped. */
const CAUSES_MAX = 8;

export const toPlainError = (error: unknown, causes = 0): PlainError => {
  const { name, message, stack = "", cause } = error instanceof Error ? error : new Error(String(error));
  return {
    ours: isLamplightError(error) ? { code: error.code, context: error.context } : null,
    name,
    message,
    stack,
    cause: cause instanceof Error && causes < CAUSES_MAX ? toPlainError(cause, causes + 1) : null,
  };
};

export const fromPlainError = ({ ours, name, message, stack, cause }: PlainError): Error => {
  const options = cause === null ? {} : { cause: fromPlainError(cause) };
  if (ours !== null) return Object.assign(new LamplightError(ours.code, ours.context, options), { stack });
  return Object.assign(new Error(message, options), { name, stack });
};
