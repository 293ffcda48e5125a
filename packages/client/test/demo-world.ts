// The demo chain in a store of its own, readable in process and over HTTP.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ViewSource } from "@lamplight/core";
import { demoChain } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

export interface DemoWorld {
  readonly viewSource: ViewSource;
  /** Base of the server. */
  readonly url: string;
  close(): Promise<void>;
}

export const demoKey = "demo";

export const openDemoWorld = async (): Promise<DemoWorld> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-client-"));
  const file = join(folder, "demo.db");
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  for (const { slot, blockhash, accounts } of demoChain())
    await indexer.applyAccounts(accounts, { slot, blockhash });
  await store.close();
  const viewSource = openSqliteReader({ file });
  const server = await startServer({
    viewSource,
    keys: [demoKey],
    port: 0,
    limits: { batchCalls: 10 },
    methods: ["das"],
  });
  return {
    viewSource,
    url: server.url,
    close: async () => {
      await server.stop();
      viewSource.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
