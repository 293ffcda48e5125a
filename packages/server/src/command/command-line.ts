import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { nearestName } from "@lamplight/core";
import { usageError } from "@lamplight/errors";

/**
 * The flags of a command line.
 *
 * @throws LamplightError `CLI__USAGE` for an unknown flag, a missing value and a word without a flag
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
    // A word without a flag may be a secret whose flag was forgotten: it is not repeated.
    if ((cause as NodeJS.ErrnoException).code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
      throw usageError("there is a word without a flag; --help lists the flags");
    const reason = firstSentence((cause as Error).message);
    const unknown = /^Unknown option '-{1,2}([^']*)'/u.exec(reason)?.[1];
    if (unknown === undefined) throw usageError(reason, cause);
    throw usageError(`${reason}; ${flagHint(unknown, Object.keys(options))}`, cause);
  }
};

/** For a flag that a command does not have. */
const flagHint = (name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "see --help" : `did you mean --${nearest}?`;
};

/** parseArgs adds advice about `--` that is longer than the fault. */
const firstSentence = (message: string): string => message.split(". ")[0]!.replace(/\.$/u, "");
