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

const runCommand = async (word: string, args: readonly string[]): Promise<number> => {
  if (!Object.hasOwn(commandLoaders, word)) throw unknownCommand(word);
  const command = await commandLoaders[word]!();
  if (!args.includes("--help") && !args.includes("-h")) return command.run(args);
  process.stdout.write(`lamplight ${command.name} ${command.usage}\n`);
  return exitCodes.done;
};

const unknownCommand = (word: string): LamplightError => {
  const nearest = nearestName(word, Object.keys(commandLoaders));
  const hint = nearest === undefined ? "see lamplight --help" : `did you mean ${nearest}?`;
  return new LamplightError("CLI__USAGE", { reason: `unknown command ${JSON.stringify(word.slice(0, 64))}; ${hint}` });
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

const NAME_WIDTH = 10;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, "lamplight");
}
