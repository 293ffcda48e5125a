import { join } from "node:path";
import { demoChain } from "@lamplight/devchain";
import { docsDirectory } from "@lamplight/docs";
import { createIndexer, startSearchLife } from "@lamplight/indexer";
import { createLog, startServer } from "@lamplight/server";
import { exitCodes, untilStopSignal } from "@lamplight/server/command";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

import type { Command } from "../command.ts";
import { curlLine, demoCalls } from "./demo-calls.ts";
import { createDemoFolder } from "./demo-folder.ts";
import { chooseDemoAddress, type DemoAddress, demoUsage } from "./demo-flags.ts";

const DEMO_KEY = "demo";

export const demoCommand: Command = {
  name: "demo",
  summary: "serve a generated sample chain",
  usage: demoUsage,
  run: async (args) => {
    const address = await chooseDemoAddress(args, process.env);
    // From here on the folder has to be deleted, whenever the signal comes.
    const stopped = untilStopSignal();
    // Made each time: it takes a moment, and an old one could have been written by another version.
    const folder = await createDemoFolder();
    try {
      const file = join(folder.path, "demo.db");
      const accounts = await buildDemoStore(file);
      process.stdout.write(`A generated chain of ${accounts} account writes, in sqlite:${file}\n`);
      await serveDemo(file, address, stopped);
    } finally {
      await folder.remove();
    }
    return exitCodes.done;
  },
};

/** Loads the demo chain into a new store; answers how many account versions it has. */
export const buildDemoStore = async (file: string): Promise<number> => {
  const store = openSqliteStore({ file, mode: "write" });
  try {
    const indexer = createIndexer(store);
    let written = 0;
    for (const { slot, blockhash, accounts } of demoChain()) {
      await indexer.applyAccounts(accounts, { slot, blockhash });
      written += accounts.length;
    }
    await store.writeCoverage({ kind: "whole" });
    return written;
  } finally {
    await store.close();
  }
};

const serveDemo = async (file: string, address: DemoAddress, stopped: Promise<unknown>): Promise<void> => {
  const log = createLog("warn");
  const store = openSqliteReader({ file });
  const search = await startSearchLife({
    readable: store,
    file: null,
    onError: (error) => log.warn({ err: error }, "search index cannot follow the store"),
  });
  try {
    await search.filled;
    const options = { ...address, keys: [DEMO_KEY], publicKey: DEMO_KEY, docsDirectory, log };
    const server = await startServer({ readable: search.readable, ...options });
    process.stdout.write(`${greeting(server.url)}\n`);
    await stopped;
    await server.stop();
  } finally {
    await search.close();
    store.close();
  }
};

const greeting = (url: string): string =>
  [
    `Answers at ${url}/v3/${DEMO_KEY}, documentation at ${url}/`,
    "",
    ...demoCalls.flatMap((call) => [`# ${call.method}`, curlLine(`${url}/v3/${DEMO_KEY}`, call)]),
    "",
    "Ctrl-C stops it.",
  ].join("\n");
