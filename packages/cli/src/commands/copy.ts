import { LamplightError } from "@lamplight/errors";
import { exitCodes, nameOfStore, parseFlags, usageError } from "@lamplight/server/command";

import type { Command } from "../command.ts";
import { type CopyCounts, copyStore } from "../copy/copy-store.ts";
import { openStoreExport, openStoreImport } from "../copy/open-copy.ts";
import { createStageTeller, type StageTeller } from "../snapshot/load-stages.ts";
import { runStoppable } from "../stoppable.ts";

const usage = `--from URL --to URL

  --from  store to copy, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE; it may be served and written
          meanwhile: what is copied is its last slot at the start
  --to    store to make of it, as either: nothing may lie there but an empty store

Moves everything: accounts, assets, documents, what only transactions told, how far it is indexed, and what it was loaded
from. The copy answers the same bytes. It is served by nobody before it is whole; stopped before that, the same command
begins anew. To keep a copy of one moment beside a file that is written, lamplight backup is faster.`;

export const copyCommand: Command = {
  name: "copy",
  summary: "move a whole store into another one, from a file to PostgreSQL or back",
  usage,
  run: (args) => {
    const { from, to } = readFlags(args);
    const teller = createStageTeller();
    return runStoppable({
      run: async (signal) => {
        try {
          const counts = await copy(from, to, teller, signal);
          teller.end();
          process.stdout.write(told(from, to, counts));
          return exitCodes.done;
        } finally {
          teller.end();
        }
      },
      onStopped: () => teller.say("stopped; nothing was made"),
    });
  },
};

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (args: readonly string[]): { readonly from: string; readonly to: string } => {
  const { from, to } = parseFlags(args, { from: { type: "string" }, to: { type: "string" } });
  if (from === undefined) throw usageError("--from URL is missing");
  if (to === undefined) throw usageError("--to URL is missing");
  return { from, to };
};

const copy = async (
  from: string,
  to: string,
  teller: StageTeller,
  signal: AbortSignal,
): Promise<CopyCounts> => {
  const source = await openStoreExport(from);
  try {
    if (source.head.watermark === null) {
      const reason = "nothing was ever indexed in it";
      throw new LamplightError("STORE__NOT_A_STORE", { store: nameOfStore(from), reason });
    }
    const target = await openStoreImport(to, source.head.holdings);
    try {
      return await copyStore(source, target, {
        onProgress: ({ table, rows, share }) =>
          teller.update({ stage: table, share, accounts: rows, bytes: 0, unit: "rows" }),
        onStep: (step) => teller.update({ stage: "finish", share: null, step }),
        signal,
      });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

const told = (from: string, to: string, counts: CopyCounts): string =>
  `${nameOfStore(to)} holds what ${nameOfStore(from)} held: ${counts.accounts} accounts, ${counts.assets} assets, ${counts.documents} documents\n`;
