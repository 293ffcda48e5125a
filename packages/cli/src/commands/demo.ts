import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoChain } from "@lamplight/devchain";
import { docsDirectory } from "@lamplight/docs";
import { createIndexer, startSearchLife } from "@lamplight/indexer";
import { createLog, startServer } from "@lamplight/server";
import { exitCodes, parseFlags, untilStopSignal, usageError } from "@lamplight/server/command";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

import type { Command } from "../command.ts";
import { curlLine, demoCalls } from "./demo-calls.ts";

const DEMO_KEY = "demo";
const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8899;

const usage = `[--host HOST] [--port PORT]

  --host    address to listen on (${DEFAULT_HOST})
  --port    port to listen on (${DEFAULT_PORT}); 0 picks a free one

Serves a small generated chain from a store of its own, which is gone when the command ends.`;

export const demoCommand: Command = {
  name: "demo",
  summary: "serve a generated chain to try things on",
  usage,
  run: async (args) => {
    const { host, port } = readFlags(args);
    // Made anew each time: it takes a moment, and an old one could have been written by another version.
    const folder = await mkdtemp(join(tmpdir(), "lamplight-demo-"));
    try {
      const file = join(folder, "demo.db");
      const accounts = await buildDemoStore(file);
      process.stdout.write(`A generated chain of ${accounts} account writes, in sqlite:${file}\n`);
      await serveDemo(file, host, port);
    } finally {
      await rm(folder, { recursive: true, force: true });
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

const serveDemo = async (file: string, host: string, port: number): Promise<void> => {
  const log = createLog("warn");
  const store = openSqliteReader({ file });
  const search = await startSearchLife({
    readable: store,
    file: null,
    onError: (error) => log.warn({ err: error }, "search index cannot follow the store"),
  });
  try {
    await search.filled;
    const options = { host, port, keys: [DEMO_KEY], publicKey: DEMO_KEY, docsDirectory, log };
    const server = await startServer({ readable: search.readable, ...options });
    process.stdout.write(`${greeting(server.url)}\n`);
    await untilStopSignal();
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

const flags = { host: { type: "string" }, port: { type: "string" } } as const;

/** @throws LamplightError `CLI__USAGE` */
const readFlags = (args: readonly string[]): { readonly host: string; readonly port: number } => {
  const { host = DEFAULT_HOST, port = String(DEFAULT_PORT) } = parseFlags(args, flags);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw usageError("--port must be a number from 0 to 65535");
  return { host, port: Number(port) };
};
