// A stop signal that comes while nothing has started yet: a store or a source that takes a connection and never answers.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChainSimulation } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startCommand } from "../../test/run-command.ts";

const token = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

let silent: Server;
let sockets: Socket[];
let address: string;
let folder: string;

beforeEach(async () => {
  sockets = [];
  silent = createServer((socket) => sockets.push(socket.on("error", () => {})));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "lamplight-stop-"));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  rmSync(folder, { recursive: true });
});

const loadedStore = async (): Promise<string> => {
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const { accounts, slot, blockhash } = new ChainSimulation({ seed: 1 }).genesis;
  await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
  await store.close();
  return `sqlite:${file}`;
};

const rpc = (): readonly string[] => ["follow", "rpc", `http://${address}`, "--program", token, "--store"];
const yellowstone = (): readonly string[] => ["follow", "yellowstone", `http://${address}`, "--store"];

const serve = (): readonly string[] => [
  "serve",
  "--key",
  "k",
  "--port",
  "0",
  "--store",
  `postgres://u@${address}/d`,
];

describe("a stop signal before anything was answered", () => {
  test.each([
    ["follow rpc, of the node", async () => [...rpc(), `sqlite:${join(folder, "new.db")}`]],
    ["follow rpc, of the store", async () => [...rpc(), `postgres://u@${address}/d`]],
    [
      "follow rpc, of the store it stands by for",
      async () => [...rpc(), `postgres://u@${address}/d`, "--standby"],
    ],
    ["follow yellowstone, of the server", async () => [...yellowstone(), await loadedStore()]],
    ["follow yellowstone, of the store", async () => [...yellowstone(), `postgres://u@${address}/d`]],
    [
      "serve, of the store",
      async () => ["serve", "--key", "k", "--port", "0", "--store", `postgres://u@${address}/d`],
    ],
    [
      "serve --follow, of the store",
      async () => [...serve(), "--follow", `rpc=http://${address}`, "--program", token],
    ],
  ])("%s, is obeyed", async (_, args) => {
    const child = startCommand(await args());
    child.stderr!.resume();
    child.stdout!.resume();
    await once(silent, "connection");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});
