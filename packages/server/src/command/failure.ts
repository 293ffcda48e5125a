import { definitionOf, isLamplightError } from "@lamplight/errors";

import { printError, printStack } from "./terminal.ts";

/** Exit codes of our commands: a wrong command line differs from a command that failed. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Prints to stderr why a command ends, and returns its exit code. An error that the user can correct is one sentence.
 * Only a bug of ours prints its stack.
 */
export const reportFailure = (error: unknown, command: string): number => {
  if (isLamplightError(error)) {
    printError(`${command}: ${error.message}`);
    if (definitionOf(error.code).family === "us") printStack(error.cause ?? error);
    return error.code === "CLI__USAGE" ? exitCodes.usage : exitCodes.failed;
  }
  printError(`${command}: unexpected error, please report it`);
  printStack(error);
  return exitCodes.failed;
};
