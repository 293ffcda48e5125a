import { exitCodes, findRecord, parseWords, readKeys, rotateKey } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import {
  acceptedText,
  durationOf,
  keyStoreOptions,
  keyStoreUsage,
  nameOfWords,
  withKeyStore,
} from "../keys/key-flags.ts";
import { stateOf } from "../keys/key-text.ts";
import { createOutput, jsonUsage } from "../output.ts";

const defaultOverlap = "24h";

const usage = `NAME --key-store STORE [--overlap TIME] [--json]

  --key-store  ${keyStoreUsage}
  --overlap    time for which the key before stays valid, as 30m, 24h or 7d (${defaultOverlap}); 0m = none
  --json       ${jsonUsage}

The new key is printed once, on stdout. Both keys count as one: they share limits and usage. A second rotation ends the first
key at once.

Example:
  lamplight keys rotate acme --key-store keys.json --overlap 7d`;

export const keysRotateCommand: Command = {
  name: "keys rotate",
  summary: "replace an API key; the one before stays valid for a while",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, { ...keyStoreOptions, overlap: { type: "string" } });
    const name = nameOfWords(positionals);
    const overlap = values.overlap ?? defaultOverlap;
    const overlapMs = durationOf(overlap, "--overlap");
    const [key, state] = await withKeyStore(values, async (store) => {
      const made = await rotateKey(store, name, overlapMs);
      return [made, stateOf(findRecord(await readKeys(store), name))] as const;
    });
    const output = createOutput(values.json);
    const accepted =
      state === "active"
        ? `${acceptedText}, and the one before for ${overlap} more`
        : `no server accepts it, because ${name} is ${state}`;
    output.note(`new key of ${name}, shown this once; ${accepted}`);
    output.result({ event: "rotated", name, key, overlapMs }, [key]);
    return exitCodes.done;
  },
};
