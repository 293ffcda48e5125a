import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChainWorld } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { type ServerOptions, startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

const key = "demo";

export interface WorldServer {
  /** Base address, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves what a world holds, with the documents of its assets, and the site. */
export const startWorldServer = async (
  world: ChainWorld,
  docsDirectory: string,
  options: Partial<ServerOptions> = {},
): Promise<WorldServer> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-world-"));
  const file = join(folder, "world.db");
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const { slot, blockhash, accounts, transactions, documents } = world.takeSlot();
  await createIndexer(store).apply({ accounts, transactions, watermark: { slot, blockhash } });
  await store.offchain?.writeRows(
    documents.map(([uri, json]) => ({
      uri,
      json,
      status: "ok",
      sha256: null,
      etag: null,
      lastModified: null,
      immutable: true,
      firstSeenMs: 0,
      fetchedMs: 0,
      dueMs: null,
      attempts: 0,
      lastError: null,
    })),
  );
  await store.close();
  const viewSource = openSqliteReader({ file });
  const server = await startServer({
    viewSource,
    keys: [key],
    publicKey: key,
    docsDirectory,
    port: 0,
    ...options,
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
