import { LamplightError, usageError } from "@lamplight/errors";
import { fillHolders } from "@lamplight/indexer";
import { exitCodes, parseFlags } from "@lamplight/server/command";
import {
  type CopyCounts,
  copyStore,
  createStageReporter,
  nameOfStore,
  openStoreExport,
  openStoreForWriting,
  openStoreImport,
  runStoppable,
  type StageReporter,
} from "@lamplight/runtime";

import type { Command } from "../command.ts";
import { createOutput, jsonOption, jsonUsage } from "../output.ts";

const usage = `--from URL --to URL [--json]

  --from  store to copy, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. It may be served and written at
          the same time; the copy holds its last slot when the command started
  --to    store to create, as either; it must be missing or empty
  --json  ${jsonUsage}

Copies everything: accounts, assets, documents, data that came only from transactions, the slot and the load receipt.
The copy answers the same bytes. It cannot be served before it is complete. If the command is stopped, run it again; it
starts from scratch. What lamplight index add das made is made again last: a command that is stopped there says so. To copy
a file into a file, lamplight backup is faster.

Example:
  lamplight copy --from sqlite:index.db --to postgres://lamplight@db.example/lamplight`;

export const copyCommand: Command = {
  name: "copy",
  summary: "copy a complete store into another one, from a file to PostgreSQL or back",
  usage,
  run: (args) => {
    const { from, to, json } = readFlags(args);
    const output = createOutput(json);
    const emitter = createStageReporter(output.progress);
    const copied = { isWhole: false };
    return runStoppable({
      run: async (signal) => {
        try {
          const counts = await copy(from, to, emitter, signal, copied);
          emitter.end();
          const event = { event: "copied", from: nameOfStore(from), to: nameOfStore(to), ...counts };
          output.result(event, [reported(from, to, counts)]);
          return exitCodes.done;
        } finally {
          emitter.end();
        }
      },
      onStopped: () =>
        emitter.say(copied.isWhole ? `stopped; ${withoutHolders(to)}` : "stopped; nothing was made"),
    });
  },
};

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (
  args: readonly string[],
): { readonly from: string; readonly to: string; readonly json: boolean | undefined } => {
  const { from, to, json } = parseFlags(args, {
    from: { type: "string" },
    to: { type: "string" },
    ...jsonOption,
  });
  if (from === undefined) throw usageError("--from URL is missing");
  if (to === undefined) throw usageError("--to URL is missing");
  return { from, to, json };
};

const copy = async (
  from: string,
  to: string,
  emitter: StageReporter,
  signal: AbortSignal,
  copied: { isWhole: boolean },
): Promise<CopyCounts> => {
  const source = await openStoreExport(from);
  try {
    if (source.head.watermark === null) {
      const reason = "nothing was ever indexed in it";
      throw new LamplightError("STORE__NOT_A_STORE", { store: nameOfStore(from), reason });
    }
    const target = await openStoreImport(to, source.head.holdings);
    let counts: CopyCounts;
    try {
      counts = await copyStore(source, target, {
        onProgress: ({ table, rows, share }) =>
          emitter.update({ stage: table, share, accounts: rows, bytes: 0, unit: "rows" }),
        onStep: (step) => emitter.update({ stage: "finish", share: null, step }),
        signal,
      });
    } finally {
      await target.close();
    }
    if (source.head.holders) {
      emitter.update({ stage: "finish", share: null, step: "token accounts of each mint" });
      copied.isWhole = true;
      const isKept = await addHolders(to, signal).catch((error: unknown) => {
        if (!signal.aborted) emitter.say(withoutHolders(to));
        throw error;
      });
      if (!isKept) emitter.say("several shards keep no token accounts of each mint; all else was copied");
    }
    return counts;
  } finally {
    await source.close();
  }
};

const withoutHolders = (to: string): string =>
  `${nameOfStore(to)} is complete but for the token accounts of each mint: run lamplight index add das`;

/** False where such a store keeps no token accounts of each mint. */
const addHolders = async (url: string, signal: AbortSignal): Promise<boolean> => {
  const store = await openStoreForWriting(url, { create: false });
  try {
    if (store.holders === undefined) return false;
    await fillHolders(store, store.holders, { signal });
    signal.throwIfAborted();
    return true;
  } finally {
    await store.close();
  }
};

const reported = (from: string, to: string, counts: CopyCounts): string =>
  `${nameOfStore(to)} holds what ${nameOfStore(from)} held: ${counts.accounts} accounts, ${counts.assets} assets, ${counts.documents} documents`;
