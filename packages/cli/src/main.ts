// `lamplight`: finds the command, runs it, reports in one sentence why it failed.
import { type LamplightError, usageError } from "@lamplight/errors";
import { nearestName, setUsableMemory } from "@lamplight/core";
import {
  apiVersion,
  exitCodes,
  print,
  printError,
  reportFailure,
  applyFileVariables,
} from "@lamplight/server/command";
import { ignoreDebuggerSignal } from "@lamplight/runtime";

// oxlint-disable-next-line import/no-unassigned-import -- it copies the environment before the body of this file changes it
import "./given-environment.ts";
import { commandHint, optionHint } from "./nearest-command.ts";
import { commandLoaders } from "./registry.ts";

const run = async (args: readonly string[]): Promise<number> => {
  const [word, ...rest] = args;
  switch (word) {
    case undefined:
      printError(await helpText(null));
      return exitCodes.usage;
    case "--help":
    case "-h":
    case "help":
      if (rest[0] !== undefined && !rest[0].startsWith("-"))
        return runCommand(rest[0], [...rest.slice(1), "--help"]);
      print(await helpText(null));
      return exitCodes.done;
    case "--version":
    case "-v":
      print(apiVersion);
      return exitCodes.done;
    default:
      // The option may contain a key, so it is not repeated.
      if (word.startsWith("-")) throw usageError(optionHint(word));
      return runCommand(word, rest);
  }
};

const names = Object.keys(commandLoaders);
const isHelp = (arg: string | undefined): boolean => arg === "--help" || arg === "-h";

/** Some commands have two words: `load transactions`. The first alone lists them. */
const runCommand = async (word: string, rest: readonly string[]): Promise<number> => {
  const both = `${word} ${rest[0]}`;
  const isDouble = Object.hasOwn(commandLoaders, both);
  const [name, args] = isDouble ? [both, rest.slice(1)] : [word, rest];
  if (!Object.hasOwn(commandLoaders, name)) return runGroup(word, rest[0]);
  const command = await commandLoaders[name]!();
  if (!args.some(isHelp)) return command.run(args);
  print(`lamplight ${command.name} ${command.usage}`);
  return exitCodes.done;
};

const runGroup = async (word: string, next: string | undefined): Promise<number> => {
  const isGroup = names.some((name) => name.startsWith(`${word} `));
  if (!isGroup || (next !== undefined && !isHelp(next))) throw unknownCommand(word, next, isGroup);
  const text = await helpText(word);
  if (next === undefined) printError(text);
  else print(text);
  return next === undefined ? exitCodes.usage : exitCodes.done;
};

const unknownCommand = (word: string, next: string | undefined, isGroup: boolean): LamplightError => {
  const both = `${word} ${next}`;
  const ofGroup = names.filter((name) => name.startsWith(`${word} `));
  const inGroup = ofGroup.find(
    (name) => name === `${word} ${nearestName(next ?? "", ofGroup.map(secondWord))}`,
  );
  const nearest = inGroup === undefined ? null : `did you mean ${inGroup}?`;
  const help = isGroup ? `see lamplight ${word} --help` : "see lamplight --help";
  const hint = (isGroup ? nearest : commandHint(word, next, names)) ?? help;
  const shown = JSON.stringify((isGroup ? both : word).slice(0, 64));
  return usageError(`unknown command ${shown}; ${hint}`);
};

const secondWord = (name: string): string => name.split(" ")[1]!;

/** @param group - first word of the commands that are listed; null = all */
const helpText = async (group: string | null): Promise<string> => {
  const listed = names.filter((name) => group === null || name.startsWith(`${group} `));
  const commands = await Promise.all(listed.map((name) => commandLoaders[name]!()));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}${summary}`);
  const examples = group === null ? ["  lamplight demo"] : listed.map((name) => `  lamplight ${name} --help`);
  return [
    `lamplight ${group === null ? "" : `${group} `}COMMAND …`,
    "",
    ...lines,
    "",
    "lamplight COMMAND --help lists the options of a command. lamplight --version prints the version.",
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples,
  ].join("\n");
};

const NAME_WIDTH = 20;

ignoreDebuggerSignal();
try {
  applyFileVariables(process.env);
  setUsableMemory(process.env["LAMPLIGHT_MEMORY_BYTES"]);
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, "lamplight");
}
