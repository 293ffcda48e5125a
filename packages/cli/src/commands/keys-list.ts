import { exitCodes, parseFlags, plainRecord, readKeys } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { keyStoreOptions, keyStoreUsage, withKeyStore } from "../keys/key-flags.ts";
import { limitsText, stateOf, tableOf } from "../keys/key-text.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `--key-store STORE [--json]

  --key-store  ${keyStoreUsage}
  --json       ${jsonUsage}

Example:
  lamplight keys list --key-store keys.json`;

export const keysListCommand: Command = {
  name: "keys list",
  summary: "list the API keys of a key store",
  usage,
  run: async (args) => {
    const values = parseFlags(args, keyStoreOptions);
    const records = await withKeyStore(values, readKeys);
    const rows = records.map((record) => [
      record.name,
      stateOf(record),
      record.created.slice(0, 10),
      record.expires?.slice(0, 10) ?? "-",
      limitsText(record),
    ]);
    const keys = records.map((record) => ({ ...withoutHashes(record), state: stateOf(record) }));
    createOutput(values.json).result(
      { event: "keys", keys },
      tableOf([["NAME", "STATE", "CREATED", "EXPIRES", "LIMITS"], ...rows]),
    );
    return exitCodes.done;
  },
};

const withoutHashes = (record: Parameters<typeof plainRecord>[0]): Record<string, unknown> => {
  const {
    hash: _,
    previous,
    ...rest
  } = plainRecord(record) as { previous?: { until: string } } & Record<string, unknown>;
  return { ...rest, ...(previous !== undefined && { previousUntil: previous.until }) };
};
