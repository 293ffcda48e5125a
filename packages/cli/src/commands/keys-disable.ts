import { disableKey, exitCodes, parseWords } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { keyStoreOptions, keyStoreUsage, nameOfWords, withKeyStore } from "../keys/key-flags.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `NAME --key-store STORE [--undo] [--json]

  --key-store  ${keyStoreUsage}
  --undo       let it call again
  --json       ${jsonUsage}

Running servers refuse the key within 2 seconds, with HTTP 403. One that cannot read the store refuses all of its keys
after an hour. Calls in progress are finished.

Example:
  lamplight keys disable acme --key-store keys.json`;

export const keysDisableCommand: Command = {
  name: "keys disable",
  summary: "stop an API key, or let it call again",
  usage,
  run: async (args) => {
    const { values, positionals } = parseWords(args, { ...keyStoreOptions, undo: { type: "boolean" } });
    const name = nameOfWords(positionals);
    const isDisabled = values.undo !== true;
    await withKeyStore(values, (store) => disableKey(store, name, isDisabled));
    const text = isDisabled ? `${name} is disabled` : `${name} may call again`;
    createOutput(values.json).result({ event: isDisabled ? "disabled" : "enabled", name }, [text]);
    return exitCodes.done;
  },
};
