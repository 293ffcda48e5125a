import { nameOfStore } from "@lamplight/runtime";
import { exitCodes } from "@lamplight/server/command";
import { aliasWords } from "../address-words.ts";
import type { Command } from "../command.ts";
import { counted, coverageStoreUsage, readChangeFlags, requestChange } from "../coverage/coverage-flags.ts";
import { createOutput, jsonUsage } from "../output.ts";

const usage = `--store URL [--program ADDRESS]… [--tree ADDRESS]… [--json]

  --store    ${coverageStoreUsage}
  --program  program whose accounts the store is not to cover any more: an address in base58, or
             ${aliasWords}
  --tree     tree that coverage add was asked to complete: what was read stays, and no more is read
  --json     ${jsonUsage}

Drops programs from a store that covers some programs of the chain, while it is followed and served. The command writes the
request into the store and ends. The process that follows the chain, with lamplight follow or lamplight serve --follow, takes
it within seconds. From then on, calls that need the program are refused, and its rows are removed page by page. A
program that is being added is given up the same way.

Example:
  lamplight coverage drop --store sqlite:chain.db --program core`;

export const coverageDropCommand: Command = {
  name: "coverage drop",
  summary: "drop programs from a store while it is followed",
  usage,
  run: async (args) => {
    const { url, programs, trees, json } = readChangeFlags(args);
    await requestChange(url, { add: [], drop: programs }, { add: [], drop: trees });
    const store = nameOfStore(url);
    createOutput(json).result({ event: "requested", store, drop: programs, trees }, [
      ...(programs.length === 0
        ? []
        : [
            `asked to drop ${counted(programs, "program")} from ${store}; the process that follows removes them`,
          ]),
      ...(trees.length === 0 ? [] : [`${counted(trees, "tree")} will not be completed any more`]),
    ]);
    return exitCodes.done;
  },
};
