import { createKey, exitCodes, noLimits, parseWords } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import {
  acceptedText,
  keyStoreOptions,
  keyStoreUsage,
  limitOptions,
  limitsOfFlags,
  limitUsage,
  nameOfWords,
  timeAheadOf,
  withKeyStore,
} from "../keys/key-flags.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `NAME --key-store STORE [--expires TIME] [--requests-per-second N] [--units-per-second N]
      [--requests-per-day N] [--units-per-day N] [--concurrency N] [--batch-calls N] [--methods LIST] [--json]

  NAME            for lists, logs and metrics: letters, digits, . _ and -
  --key-store     ${keyStoreUsage}
  --expires       when it stops to be valid: a day or a time in UTC, or a time from now as 90d
  ${limitUsage}
  --json          ${jsonUsage}

The key is printed once, on stdout. The file has its SHA-256 only, so it cannot be read there. Without a limit, a key may use
what the server has. Costs of methods are in the configuration of the server (keyCosts).

Example:
  lamplight keys create acme --key-store keys.json --requests-per-second 50 --units-per-day 1000000`;

export const keysCreateCommand: Command = {
  name: "keys create",
  summary: "make an API key with limits, and print it once",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, {
      ...keyStoreOptions,
      ...limitOptions,
      expires: { type: "string" },
    });
    const name = nameOfWords(positionals);
    const limits = { ...noLimits, ...limitsOfFlags(values) };
    const expires = values.expires === undefined ? null : timeAheadOf(values.expires, "--expires");
    const key = await withKeyStore(values, (store) => createKey(store, { name, expires, limits }));
    const output = createOutput(values.json);
    output.note(`key of ${name}, shown this once; ${acceptedText}`);
    output.result({ event: "created", name, key, expires }, [key]);
    return exitCodes.done;
  },
};
