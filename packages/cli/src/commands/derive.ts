import { DERIVATION, type NextProgress } from "@lamplight/core";
import { LamplightError, usageError } from "@lamplight/errors";
import { createIndexer } from "@lamplight/indexer";
import { engineOf, nameOfStore, runStoppable } from "@lamplight/runtime";
import { deriveAgain } from "@lamplight/runtime/follow";
import { exitCodes, parseFlags, printError } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { type CommandOutput, createOutput, jsonOption, jsonUsage } from "../output.ts";
import { openIdleStore, storeUrlOf } from "../store-flag.ts";

const PERCENT_MAX = 100;

const usage = `--store URL [--percent N] [--json]

  --store    store whose assets are derived again, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE, or
             LAMPLIGHT_STORE
  --percent  share of the time in which it works, 1 to ${PERCENT_MAX} (${PERCENT_MAX}); it pauses for the rest
  --json     ${jsonUsage}

Derives every asset again by the rules of this version, from the accounts and leaves in the store. Servers go on answering,
by the rules and at the slot of the store. What differs is kept next to their rows. Once all assets are derived, one
commit replaces the rows that differ: each answer is of one version of the rules. Ctrl-C stops the command. The next run goes on
where it stopped.

A process that follows a chain into the store derives by itself, between its slots, and this command is refused while it
runs. Use it for a store without a follower, and where a follower ends with STORE__OTHER_RULES: this version has no rules by
which it could keep the rows of that store up to date.

Example:
  lamplight derive --store sqlite:chain.db`;

export const deriveCommand: Command = {
  name: "derive",
  summary: "derive the assets of a store again by the rules of this version",
  usage,
  run: (args) => {
    const { url, percent, json } = readFlags(args);
    const output = createOutput(json);
    return runStoppable({
      run: (signal) => derive(url, percent, signal, output),
      onStopped: () => printError("stopped; the next run goes on from here"),
    });
  },
};

const derive = async (
  url: string,
  percent: number,
  signal: AbortSignal,
  output: CommandOutput,
): Promise<number> => {
  if (!engineOf(url).keepsNextSet)
    throw new LamplightError("STORE__NO_SUCH_USE", {
      store: nameOfStore(url),
      use: "derive its assets again",
      instead: "load a snapshot into a new store, or follow into one",
    });
  const store = await openIdleStore(url, whileWritten);
  try {
    const { version: found } = await store.readDerivation();
    const indexer = createIndexer(store);
    const fill = (): Promise<NextProgress | null> => indexer.deriveMore();
    await deriveAgain(fill, { signal, percent, inform: output.note });
    const { version } = await store.readDerivation();
    if (signal.aborted && version !== DERIVATION) return exitCodes.done;
    output.result({ event: "derived", store: nameOfStore(url), found, rules: version }, [
      found === version
        ? `${nameOfStore(url)} is derived by rules ${version} already`
        : `${nameOfStore(url)} is derived by rules ${version}; it was by rules ${found}`,
    ]);
    return exitCodes.done;
  } finally {
    await store.close();
  }
};

const whileWritten = "if that follows a chain, it derives by itself, and its /readyz shows the share";

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (args: readonly string[]) => {
  const values = parseFlags(args, {
    store: { type: "string" },
    percent: { type: "string" },
    ...jsonOption,
  });
  const url = storeUrlOf(values);
  const { percent = `${PERCENT_MAX}`, json } = values;
  if (!/^[1-9]\d{0,2}$/u.test(percent) || Number(percent) > PERCENT_MAX)
    throw usageError(`--percent must be a whole number, 1 to ${PERCENT_MAX}`);
  return { url, percent: Number(percent), json };
};
