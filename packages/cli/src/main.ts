// `lamplight`: finds the command, runs it, tells in one sentence why it failed.
import { LamplightError } from "@lamplight/errors";
import { nearestName } from "@lamplight/core";
import { apiVersion, exitCodes, reportFailure } from "@lamplight/server/command";

import { commandLoaders } from "./registry.ts";

const run = async (args: readonly string[]): Promise<number> => {
  const [word, ...rest] = args;
  switch (word) {
    case undefined:
      process.stderr.write(await helpText());
      return exitCodes.usage;
    case "--help":
    case "-h":
    case "help":
      process.stdout.write(await helpText());
      return exitCodes.done;
    case "--version":
    case "-v":
      process.stdout.write(`${apiVersion}\n`);
      return exitCodes.done;
    default:
      return runCommand(word, rest);
  }
};

/** Some commands have two words: `load transactions`. */
const runCommand = async (word: string, rest: readonly string[]): Promise<number> => {
  const both = `${word} ${rest[0]}`;
  const isDouble = Object.hasOwn(commandLoaders, both);
  const [name, args] = isDouble ? [both, rest.slice(1)] : [word, rest];
  if (!Object.hasOwn(commandLoaders, name)) throw unknownCommand(name, both);
  const command = await commandLoaders[name]!();
  if (!args.includes("--help") && !args.includes("-h")) return command.run(args);
  process.stdout.write(`lamplight ${command.name} ${command.usage}\n`);
  return exitCodes.done;
};

const unknownCommand = (word: string, both: string): LamplightError => {
  const names = Object.keys(commandLoaders);
  const nearest = nearestName(word, names) ?? nearestName(both, names);
  const hint = nearest === undefined ? "see lamplight --help" : `did you mean ${nearest}?`;
  return new LamplightError("CLI__USAGE", {
    reason: `unknown command ${JSON.stringify(word.slice(0, 64))}; ${hint}`,
  });
};

const helpText = async (): Promise<string> => {
  const commands = await Promise.all(Object.values(commandLoaders).map((load) => load()));
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(NAME_WIDTH)}${summary}`);
  return [
    "lamplight COMMAND …",
    "",
    ...lines,
    "",
    "lamplight COMMAND --help tells more. lamplight --version prints the version.",
    "",
  ].join("\n");
};

const NAME_WIDTH = 20;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, "lamplight");
}
