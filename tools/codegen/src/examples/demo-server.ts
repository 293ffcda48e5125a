import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Coverage } from "@lamplight/core";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { type Limits, startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

export interface DemoServer {
  /** Base address, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

const DEMO_KEY = "demo";

const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

interface Setting {
  /** As the contract reports it. */
  readonly about: string;
  readonly limits?: Partial<Limits>;
  readonly write: (file: string) => Promise<void>;
}

/** Servers that refuse what the one of the demo chain answers. */
export const otherServers = {
  tight: {
    about: "a server with bodyBytes 256, batchCalls 2 and batchReplyChars 100",
    limits: { bodyBytes: 256, batchCalls: 2, batchReplyChars: 100, batchConcurrency: 1 },
    write: (file) => writeDemoStore(file, { kind: "whole" }),
  },
  empty: {
    about: "a server whose store is not loaded yet",
    write: async (file) => {
      await openSqliteStore({ file, mode: "write" }).close();
    },
  },
  filtered: {
    about: "a server whose store covers the accounts of one program",
    write: (file) =>
      writeDemoStore(file, {
        kind: "filtered",
        programs: [tokenProgram],
        owners: [],
        mints: [],
        collections: [],
      }),
  },
} as const satisfies Readonly<Record<string, Setting>>;
export type OtherServer = keyof typeof otherServers;

/** A server of the demo chain, or another one, with a store of its own, on a free port. */
export const startDemoServer = async (
  other: OtherServer | null = null,
  docsDirectory: string | null = null,
): Promise<DemoServer> => {
  const setting: Setting =
    other === null
      ? { about: "", write: (file) => writeDemoStore(file, { kind: "whole" }) }
      : otherServers[other];
  const folder = mkdtempSync(join(tmpdir(), "lamplight-examples-"));
  const file = join(folder, "demo.db");
  await setting.write(file);
  const viewSource = openSqliteReader({ file });
  const server = await startServer({
    viewSource,
    keys: [DEMO_KEY],
    ...(docsDirectory === null ? {} : { docsDirectory, publicKey: DEMO_KEY }),
    port: 0,
    ...(setting.limits === undefined ? {} : { limits: setting.limits }),
  });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      viewSource.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const writeDemoStore = async (file: string, coverage: Coverage): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage(coverage);
  const indexer = createIndexer(store);
  for (const { slot, blockhash, accounts } of demoChain())
    await indexer.applyAccounts(accounts, { slot, blockhash });
  await store.close();
};

/** Posts a body as it is; status and text of the answer. */
export const post = async (
  server: DemoServer,
  body: string,
  key = DEMO_KEY,
): Promise<{ readonly status: number; readonly text: string }> => {
  const response = await fetch(`${server.url}/v3/${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: response.status, text: await response.text() };
};

/** The text of one call. */
export const requestText = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
