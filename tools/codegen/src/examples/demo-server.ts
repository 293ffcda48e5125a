import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

export interface DemoServer {
  /** Base address, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

export const DEMO_KEY = "demo";

/** A server of the demo chain with a store of its own, on a free port. */
export const startDemoServer = async (): Promise<DemoServer> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-examples-"));
  const file = join(folder, "demo.db");
  await writeDemoStore(file);
  const readable = openSqliteReader({ file });
  const server = await startServer({ readable, keys: [DEMO_KEY], port: 0 });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      readable.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const writeDemoStore = async (file: string): Promise<void> => {
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
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
