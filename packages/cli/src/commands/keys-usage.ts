import { exitCodes, findRecord, hourOf, parseWords, readKeys, usageCsv } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { keyStoreOptions, keyStoreUsage, nameOfWords, timeOf, withKeyStore } from "../keys/key-flags.ts";
import { createOutput, jsonUsage } from "../output.ts";

const defaultFrom = "30d";

const usage = `[NAME] --key-store STORE [--from TIME] [--to TIME] [--json]

  NAME         one key; without it all
  --key-store  ${keyStoreUsage}
  --from       first hour: a day or a time in UTC, or a time before now as 7d (${defaultFrom})
  --to         the hour before which it ends (the present one is included)
  --json       ${jsonUsage}

Prints the calls by hour, key and method as CSV: hour, key, method, requests, units. Refused calls are not counted. Servers write
every 5 seconds, and keep 92 days.

Example:
  lamplight keys usage --key-store keys.json --from 2027-01-01 --to 2027-02-01 > january.csv`;

export const keysUsageCommand: Command = {
  name: "keys usage",
  summary: "print calls by hour, key and method as CSV",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, {
      ...keyStoreOptions,
      from: { type: "string" },
      to: { type: "string" },
    });
    const name = positionals.length === 0 ? null : nameOfWords(positionals);
    const fromHour = hourOf(timeOf(values.from ?? defaultFrom, "--from", -1).getTime());
    const toHour =
      values.to === undefined ? hourOf(Date.now()) + 1 : hourOf(timeOf(values.to, "--to", -1).getTime());
    const rows = await withKeyStore(values, async (store) => {
      const stored = await store.openUsage("read");
      try {
        return await stored.list(fromHour, toHour);
      } finally {
        await stored.close();
      }
    });
    const own = name === null ? rows : rows.filter(({ key }) => key === name);
    // A name that is no key's any more may have calls.
    if (name !== null && own.length === 0) findRecord(await withKeyStore(values, readKeys), name);
    createOutput(values.json).result({ event: "usage", rows: own }, [usageCsv(own).trimEnd()]);
    return exitCodes.done;
  },
};
