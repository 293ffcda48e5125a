import { definitionOf, isLamplightError } from "@lamplight/errors";

import { printError, printStack } from "./terminal.ts";

/** Exit codes of our commands: a wrong command line is reported apart from a command that failed. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Shows a person on stderr why a command ends, and gives its exit code. What the person can mend is one sentence;
 * only a fault of ours shows where it happened.
 */
export const reportFailure = (error: unknown, command: string): number => {
  if (isLamplightError(error)) {
    printError(`${command}: ${error.message}`);
    if (definitionOf(error.code).family === "us" && error.cause !== undefined) printStack(error.cause);
    return error.code === "CLI__USAGE" ? exitCodes.usage : exitCodes.failed;
  }
  printError(`${command}: unexpected error, please report it`);
  printStack(error);
  return exitCodes.failed;
};
