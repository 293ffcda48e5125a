import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAMPLE_KEY, startSampleServer } from "@lamplight/cli/sample-chain";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

export interface DemoServer {
  /** Base address, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Calls of the DAS contract go to this path, with the key behind it. */
export const dasPath = "/das/";

const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

interface Setting {
  /** The version that the contract reports. */
  readonly about: string;
  /** @param file - a store that is made */
  readonly start: (file: string) => Promise<DemoServer>;
}

/** Servers that refuse what the one of the sample chain answers. */
export const otherServers = {
  tight: {
    about: "a server with bodyBytes 256, batchCalls 2 and batchReplyChars 100",
    start: (file) => {
      const limits = { bodyBytes: 256, batchCalls: 2, batchReplyChars: 100 };
      return startSampleServer({ file, port: 0, limits });
    },
  },
  empty: {
    about: "a server whose store is not loaded yet",
    start: async (file) => {
      await openSqliteStore({ file, mode: "write" }).close();
      return serveStore(file);
    },
  },
  filtered: {
    about: "a server whose store covers the accounts of one program",
    start: async (file) => {
      await writeFilteredStore(file);
      return serveStore(file);
    },
  },
} as const satisfies Readonly<Record<string, Setting>>;
export type OtherServer = keyof typeof otherServers;

/**
 * A server of the chain that `npm start` serves, with the DAS methods, or another one, with a store of its own, on a free port.
 *
 * @param keptFile - where its store is written, and stays; null: in a folder that is removed
 */
export const startDemoServer = async (
  other: OtherServer | null = null,
  docsDirectory: string | null = null,
  keptFile: string | null = null,
): Promise<DemoServer> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-examples-"));
  const file = keptFile ?? join(folder, "demo.db");
  const server = await (other === null
    ? startSampleServer({ file, port: 0, docsDirectory, methods: ["das"] })
    : otherServers[other].start(file));
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const serveStore = async (file: string): Promise<DemoServer> => {
  const viewSource = openSqliteReader({ file });
  const server = await startServer({ viewSource, keys: [SAMPLE_KEY], port: 0, methods: ["das"] });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      viewSource.close();
    },
  };
};

const writeFilteredStore = async (file: string): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({
    kind: "filtered",
    programs: [tokenProgram],
    owners: [],
    mints: [],
    collections: [],
  });
  const indexer = createIndexer(store);
  for (const { slot, blockhash, accounts } of demoChain())
    await indexer.applyAccounts(accounts, { slot, blockhash });
  await store.close();
};

/** Posts a body as it is; status and text of the answer. */
export const post = async (
  server: DemoServer,
  body: string,
  key = SAMPLE_KEY,
  path = "/v3/",
): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`${server.url}${path}${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: response.status, text: await response.text() };
};

/** The text of one call. */
export const requestText = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
