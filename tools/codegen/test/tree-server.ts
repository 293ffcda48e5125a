import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BubblegumTree } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { startServer } from "@lamplight/server";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";

const key = "demo";
const owner = new Uint8Array(32).fill(50);

export interface TreeServer {
  /** Base address, without a path. */
  readonly url: string;
  /** A leaf of a tree whose changes are all there; minted in slot 1001. */
  readonly complete: string;
  /** A leaf of a tree whose second change is missing; minted in slot 1003. */
  readonly incomplete: string;
  stop(): Promise<void>;
}

/** Serves two compressed assets with their explorer. */
export const startTreeServer = async (docsDirectory: string): Promise<TreeServer> => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-trees-"));
  const file = join(folder, "trees.db");
  const [whole, cut] = [new BubblegumTree(1), new BubblegumTree(2)];
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const indexer = createIndexer(store);
  const [first, , third] = [cut.mintV1(owner), cut.mintV1(owner), cut.mintV1(owner)];
  await indexer.applyTransactions([whole.mintV1(owner), first, third], { slot: 2000, blockhash: null });
  await store.close();
  const viewSource = openSqliteReader({ file });
  const view = await viewSource.openView("finalized");
  const idOf = async (tree: BubblegumTree, leaf: number): Promise<string> => {
    const asset = await view.read({ kind: "ownAsset", id: tree.idOf(leaf) });
    return (JSON.parse(asset!.document) as { id: string }).id;
  };
  const [complete, incomplete] = [await idOf(whole, 0), await idOf(cut, 2)];
  view.close();
  const server = await startServer({ viewSource, keys: [key], publicKey: key, docsDirectory, port: 0 });
  return {
    url: server.url,
    complete,
    incomplete,
    stop: async () => {
      await server.stop();
      viewSource.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
