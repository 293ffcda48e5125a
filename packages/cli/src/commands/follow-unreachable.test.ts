// A node that is not there: what is new to it ends with a next step, what serves goes on serving.

import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { ChainSimulation } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand, startCommand } from "../../test/run-command.ts";
import { postCall } from "../../test/serving.ts";

const token = encodeAddress(programAddresses.token);
/** Six attempts with pauses of half a second to eight, on a busy machine. */
const ATTEMPTS_MS_MAX = 180_000;

/** Nothing listens there. The system gives no such port to other tests, which ask for any free one. */
const deadPort = "http://127.0.0.1:2";

let folder: string;
let child: ChildProcess | null;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-unreachable-"));
  child = null;
});
afterAll(() => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** A store that follows the token program, as of the genesis of a chain. */
const filledStore = async (name: string): Promise<string> => {
  const file = join(folder, name);
  const store = openSqliteStore({ file, mode: "write" });
  const { accounts, slot, blockhash } = new ChainSimulation({ seed: 1 }).genesis;
  await createIndexer(store).applyAccounts(
    accounts.filter(({ programOwner }) => encodeAddress(programOwner) === token),
    { slot, blockhash },
  );
  await store.writeCoverage({ kind: "filtered", programs: [token], owners: [], mints: [], collections: [] });
  await store.close();
  return `sqlite:${file}`;
};

const newStore = (name: string): string => `sqlite:${join(folder, name)}`;

const serve = (store: string): readonly string[] => [
  ..."serve --key k --port 0 --program".split(" "),
  token,
  "--follow",
  `rpc=${deadPort}`,
  "--store",
  store,
];

/** Waiting is most of it: the cases run side by side, each over a store of its own. */
describe.concurrent("a node that is not there", () => {
  test.each([
    ["follow rpc", () => ["follow", "rpc", deadPort, "--program", token, "--store", newStore("a.db")]],
    [
      "follow rpc --no-ws",
      () => ["follow", "rpc", "--url", deadPort, "--no-ws", "--account", token, "--store", newStore("b.db")],
    ],
    [
      "follow rpc over a filled store",
      async () => ["follow", "rpc", deadPort, "--store", await filledStore("c.db")],
    ],
    [
      "follow yellowstone",
      async () => ["follow", "yellowstone", deadPort, "--store", await filledStore("d.db")],
    ],
    ["serve --follow rpc over a new store", () => serve(`sqlite:${folder}/n.db`)],
  ])(
    "%s ends with the address, the reason and a next step",
    async (_, args) => {
      const { exitCode, stdout, stderr } = await runCommand(await args());
      expect(stdout + stderr).toContain(`${deadPort} does not answer (`);
      expect(stdout + stderr).toContain("ECONNREFUSED");
      expect(stdout + stderr).not.toContain("Resolution note");
      expect(stdout + stderr).toContain("solana-test-validator");
      expect(exitCode).toBe(1);
    },
    ATTEMPTS_MS_MAX,
  );

  test.each(["x.db", "y.db"])(
    "follow rpc leaves no file for a new store: %s",
    async (name) => {
      const words = name === "x.db" ? [] : ["--standby"];
      const { exitCode, stderr } = await runCommand([
        "follow",
        "rpc",
        deadPort,
        "--store",
        newStore(name),
        ...words,
      ]);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining("solana-test-validator")]);
      expect(readdirSync(folder).filter((file) => file.startsWith(name))).toEqual([]);
    },
    ATTEMPTS_MS_MAX,
  );

  test(
    "serve --follow rpc over a filled store says so and goes on serving",
    async () => {
      child = startCommand(serve(await filledStore("f.db")));
      child.stderr!.resume();
      const lines: string[] = [];
      for await (const line of createInterface(child.stdout!)) {
        lines.push(line);
        if (line.includes("ECONNREFUSED")) break;
      }
      const { url } = JSON.parse(lines.find((line) => line.includes('"msg":"serving"'))!) as { url: string };
      const params = [token, { encoding: "base64" }];
      const response = await postCall(`${url}/v3/k`, "getAccountInfo", params);
      expect(response.status).toBe(200);
      expect((await fetch(`${url}/readyz`)).status).toBe(503);
      child.kill("SIGTERM");
      expect(await once(child, "exit")).toEqual([0, null]);
    },
    ATTEMPTS_MS_MAX,
  );
});

describe("a server that is no node", () => {
  const page = "<!DOCTYPE html><title>Some other thing</title>";
  test.each([
    [
      404,
      page,
      "refused the request: HTTP 404 (a web page). No JSON-RPC is served at this URL: check its host",
    ],
    [
      404,
      "not here",
      "refused the request: HTTP 404 not here. No JSON-RPC is served at this URL: check its host",
    ],
    [
      200,
      '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
      "refused the request: getGenesisHash, which every node has: Method not found (-32601)",
    ],
    [403, page, "HTTP 403 (a web page). No JSON-RPC is served at this URL: check its host, port and path"],
    [200, page, "does not answer (it sends a web page instead of JSON-RPC). Check the address"],
  ])(
    "with %i %j it is named, with the next step, and leaves no store",
    async (status, body, message) => {
      const server = createServer((_, response) => response.writeHead(status).end(body));
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const { exitCode, stderr } = await runCommand(["follow", "rpc", url, "--store", newStore("z.db")]);
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
        expect(stderr).toContain(url);
        expect(stderr).not.toContain("DOCTYPE");
        expect(readdirSync(folder).filter((file) => file.startsWith("z.db"))).toEqual([]);
      } finally {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      }
    },
    ATTEMPTS_MS_MAX,
  );
});
