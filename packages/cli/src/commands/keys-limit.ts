import { usageError } from "@lamplight/errors";
import { exitCodes, limitKey, parseWords } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import {
  keyStoreOptions,
  keyStoreUsage,
  limitOptions,
  limitsOfFlags,
  limitUsage,
  nameOfWords,
  withKeyStore,
} from "../keys/key-flags.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `NAME --key-store STORE [--requests-per-second N] [--units-per-second N] [--requests-per-day N]
      [--units-per-day N] [--concurrency N] [--batch-calls N] [--methods LIST] [--json]

  --key-store     ${keyStoreUsage}
  ${limitUsage}
  --json          ${jsonUsage}

Limits that are not given stay. The value none takes a limit away.

Example:
  lamplight keys limit acme --key-store keys.json --requests-per-second 100 --methods none`;

export const keysLimitCommand: Command = {
  name: "keys limit",
  summary: "change the limits of an API key",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, { ...keyStoreOptions, ...limitOptions });
    const name = nameOfWords(positionals);
    const limits = limitsOfFlags(values);
    if (Object.keys(limits).length === 0) throw usageError("no limit is given; --help lists them");
    await withKeyStore(values, (store) => limitKey(store, name, limits));
    createOutput(values.json).result({ event: "limited", name, limits }, [`${name} has these limits`]);
    return exitCodes.done;
  },
};
