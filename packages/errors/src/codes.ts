// The registry of all errors. Each has a stable name and a context with the values a person needs.
// Errors that a caller may receive also have a JSON-RPC code and message. Names are never renamed or reused.

import { callCodes } from "./codes/call-codes.ts";
import type { ErrorDefinition } from "./codes/definition.ts";
import { processCodes } from "./codes/process-codes.ts";
import { requestCodes } from "./codes/request-codes.ts";
import { sourceCodes } from "./codes/source-codes.ts";
import { storeCodes } from "./codes/store-codes.ts";

/** Every error by its name. */
export const errorCodes = { ...requestCodes, ...callCodes, ...storeCodes, ...sourceCodes, ...processCodes };

/** Name of an error: stable, so that alerts can depend on it. */
export type ErrorCode = keyof typeof errorCodes;
/** Values that an error carries: what its message quotes, and what a program needs to act. */
export type ErrorContext<Code extends ErrorCode> =
  (typeof errorCodes)[Code] extends ErrorDefinition<infer Context> ? Context : never;
