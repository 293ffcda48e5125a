import { exitCodes, findRecord, parseWords, readKeys } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { keyStoreOptions, keyStoreUsage, nameOfWords, withKeyStore } from "../keys/key-flags.ts";
import { stateOf, tableOf } from "../keys/key-text.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `NAME --key-store STORE [--json]

  --key-store  ${keyStoreUsage}
  --json       ${jsonUsage}

Shows what the store has of a key. That is not the key itself, which was shown when it was made.

Example:
  lamplight keys show acme --key-store keys.json`;

export const keysShowCommand: Command = {
  name: "keys show",
  summary: "show state, times and limits of an API key",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, keyStoreOptions);
    const name = nameOfWords(positionals);
    const record = findRecord(await withKeyStore(values, readKeys), name);
    const { created, expires, disabled, previous, limits } = record;
    const times = { created, expires, disabled, previousUntil: previous?.until ?? null };
    const state = stateOf(record);
    const rows = Object.entries({ name, state, ...times, ...limits })
      .filter(([, value]) => value !== null)
      .map(([member, value]) => [member, String(value)]);
    createOutput(values.json).result({ event: "key", name, state, ...times, limits }, tableOf(rows));
    return exitCodes.done;
  },
};
