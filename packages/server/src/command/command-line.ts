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
    return parseArgs({ args: joinNegative(args, options), options, allowPositionals, strict: true });
  } catch (cause) {
    // A word without a flag may be a secret whose flag was forgotten: it is not repeated.
    if ((cause as NodeJS.ErrnoException).code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
      throw usageError("there is a word without a flag; --help lists the flags");
    const reason = firstSentence((cause as Error).message);
    const ambiguous = /^Option '(?:-\w, )?(--[^ ']+).* is ambiguous/u.exec(reason)?.[1];
    if (ambiguous !== undefined)
      throw usageError(
        `${ambiguous} needs a value; one that begins with - is written ${ambiguous}=VALUE`,
        cause,
      );
    const oneDash = args.find((arg) => /^-[a-z][a-z-]+$/u.test(arg))?.slice(1);
    const meant = oneDash === undefined ? undefined : nearestName(oneDash, ["help", ...Object.keys(options)]);
    if (meant !== undefined)
      throw usageError(`options begin with two dashes; did you mean --${meant}?`, cause);
    const unknown = /^Unknown option '-{1,2}([^']*)'/u.exec(reason)?.[1];
    if (unknown === undefined) throw usageError(reason, cause);
    throw usageError(`${reason}; ${flagHint(unknown, Object.keys(options))}`, cause);
  }
};

/** `--port -1` is a wrong number, which the check of that flag names, and no missing value. */
const joinNegative = (args: readonly string[], options: ParseArgsOptionsConfig): string[] => {
  const joined: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const [arg, next] = [args[index]!, args[index + 1]];
    if (arg === "--") return [...joined, ...args.slice(index)];
    const takesValue =
      arg.startsWith("--") &&
      Object.hasOwn(options, arg.slice(2)) &&
      options[arg.slice(2)]!.type === "string";
    const isNegative = takesValue && next !== undefined && /^-\d/u.test(next);
    joined.push(isNegative ? `${arg}=${next}` : arg);
    // The value of a flag is never a flag itself.
    if (!takesValue || next === undefined) continue;
    index += 1;
    if (!isNegative) joined.push(next);
  }
  return joined;
};

/** The hint for a flag that a command does not have. */
const flagHint = (name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "see --help" : `did you mean --${nearest}?`;
};

/** parseArgs adds advice about `--` that is longer than the fault. */
const firstSentence = (message: string): string => message.split(". ")[0]!.replace(/\.$/u, "");
