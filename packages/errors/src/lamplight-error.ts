import { errorCodes, type ErrorCode, type ErrorContext, type ErrorDefinition } from "./codes.ts";
import { printable } from "./printable.ts";

/**
 * The one error class. `code` is stable and safe to alert on; `context` holds the values a person needs.
 *
 * ```ts
 * throw new LamplightError("ASSET__NOT_FOUND", { id: "So11111111111111111111111111111111111111112" });
 * ```
 */
export class LamplightError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = "LamplightError";
  readonly code: Code;
  readonly context: ErrorContext<Code>;

  constructor(code: Code, context: ErrorContext<Code>, options?: { cause?: unknown }) {
    // Most messages quote a caller, a file or an upstream.
    super(printable(definitionOf(code).message(context)), options);
    this.code = code;
    this.context = context;
  }

  get retryable(): boolean {
    return definitionOf(this.code).retryable;
  }
}

/** The registry entry of a code, with its context left open. */
export const definitionOf = (code: ErrorCode): ErrorDefinition<unknown> =>
  errorCodes[code] as ErrorDefinition<unknown>;

/** Shows whether `error` is a LamplightError, with that code when one is given. */
export const isLamplightError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is LamplightError<Code> =>
  error instanceof LamplightError && (code === undefined || error.code === code);
