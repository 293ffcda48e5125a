import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { LamplightError } from "@lamplight/errors";

export const usageError = (reason: string, cause?: unknown): LamplightError<"CLI__USAGE"> =>
  new LamplightError("CLI__USAGE", { reason }, cause === undefined ? {} : { cause });

/**
 * What a command line says.
 *
 * @throws LamplightError `CLI__USAGE` for a flag that there is not, a value that is missing, and a word without a flag
 */
export const parseFlags = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) => parseStrictly(args, options, false).values;

/** The same of one that takes words without flags too. */
export const parseWords = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) => parseStrictly(args, options, true);

const parseStrictly = <const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  allowPositionals: boolean,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (cause) {
    throw usageError(firstSentence((cause as Error).message), cause);
  }
};

/** parseArgs adds advice about `--` that is longer than the fault. */
export const firstSentence = (message: string): string => message.split(". ")[0]!.replace(/\.$/u, "");
