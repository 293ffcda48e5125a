import { definitionOf, isLamplightError } from "@lamplight/errors";

/** Exit codes of our commands: a wrong command line is reported apart from a command that failed. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/**
 * Tells a person on stderr why a command ends, and gives its exit code. What the person can mend is one sentence;
 * only a fault of ours shows where it happened.
 */
export const reportFailure = (error: unknown, command: string): number => {
  if (isLamplightError(error)) {
    process.stderr.write(`${command}: ${error.message}\n`);
    if (definitionOf(error.code).family === "us" && error.cause !== undefined) console.error(error.cause);
    return error.code === "CLI__USAGE" ? exitCodes.usage : exitCodes.failed;
  }
  process.stderr.write(`${command}: unexpected error, please report it\n`);
  console.error(error);
  return exitCodes.failed;
};
