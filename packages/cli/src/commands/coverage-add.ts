import { nameOfStore } from "@lamplight/runtime";
import { exitCodes } from "@lamplight/server/command";
import { aliasWords } from "../address-words.ts";
import type { Command } from "../command.ts";
import { counted, coverageStoreUsage, readChangeFlags, requestChange } from "../coverage/coverage-flags.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `--store URL [--program ADDRESS]… [--tree ADDRESS]… [--json]

  --store    ${coverageStoreUsage}
  --program  program whose accounts the store is to cover: an address in base58, or
             ${aliasWords}
  --tree     incomplete tree whose transactions are to be read from an RPC node
  --json     ${jsonUsage}

Adds programs to a store that covers some programs of the chain, while it is followed and served. The command writes the
request into the store and ends. The process that follows with lamplight follow yellowstone, or lamplight serve --follow,
takes it within seconds. It keeps every write of the program from then on, reads all accounts from the node of
--repair-rpc, or from the ledger snapshot of --fill-snapshot, and adds them to new slots. Until all are in the store, calls
that need the program are refused as before. After a restart, the process reads the accounts that are still missing.
lamplight coverage show prints the progress.

lamplight follow rpc takes the request too. It reads the program from its node, and after a restart from the beginning.

A tree needs every transaction that ever changed it. The same process lists them at the node, and adds them oldest first.
Until the tree is complete, answers name it in X-Incomplete-Trees, as before. lamplight follow rpc reads them from its node, and
follows the tree from then on.

Example:
  lamplight coverage add --store sqlite:chain.db --program token-metadata`;

export const coverageAddCommand: Command = {
  name: "coverage add",
  summary: "add programs to a store while it is followed",
  usage,
  run: async (args) => {
    const { url, programs, trees, json } = readChangeFlags(args);
    await requestChange(url, { add: programs, drop: [] }, { add: trees, drop: [] });
    const store = nameOfStore(url);
    createOutput(json).result({ event: "requested", store, add: programs, trees }, [
      ...(programs.length === 0
        ? []
        : [`asked for ${counted(programs, "more program")} in ${store}; the process that follows adds them`]),
      ...(trees.length === 0
        ? []
        : [`asked for the transactions of ${counted(trees, "tree")}; the process that follows reads them`]),
    ]);
    return exitCodes.done;
  },
};
