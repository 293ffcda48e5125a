import { errorCodes, type ErrorCode, type ErrorContext } from "./codes.ts";
import type { ErrorDefinition } from "./codes/definition.ts";
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
  /** Key of the registry. Its part before `__` names the domain, such as `STORE`. */
  readonly code: Code;
  /** Values of this one error, by the names that its code defines. */
  readonly context: ErrorContext<Code>;

  /** @param options - `cause`: the error of another layer that led to this one; logs print it */
  constructor(code: Code, context: ErrorContext<Code>, options?: { cause?: unknown }) {
    // Most messages quote a caller, a file or an upstream.
    super(printable(definitionOf(code).message(context)), options);
    this.code = code;
    this.context = context;
  }

  /** Whether the same call can succeed later, without a change by the caller. */
  get retryable(): boolean {
    return definitionOf(this.code).retryable;
  }
}

/** The registry entry of a code, with its context left open. */
export const definitionOf = (code: ErrorCode): ErrorDefinition<unknown> =>
  errorCodes[code] as ErrorDefinition<unknown>;

/** Whether `error` is a LamplightError, and has that code when one is given. */
export const isLamplightError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is LamplightError<Code> =>
  error instanceof LamplightError && (code === undefined || error.code === code);

/**
 * An error for a state that our own code rules out.
 *
 * @param what - the state, as a clause without a full stop: `${count} accounts were announced, ${rows} arrived`
 */
export const brokenInvariant = (what: string): LamplightError<"INTERNAL__INVARIANT"> =>
  new LamplightError("INTERNAL__INVARIANT", { what });
