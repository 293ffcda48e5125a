// Against a real server that answers as a node does.

import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ChainChecks } from "./chain-checks.ts";
import { parseEndpoint } from "./endpoint.ts";
import { RpcClient } from "./rpc-client.ts";

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly number[];
}

let server: Server;
let client: RpcClient;
let checks: ChainChecks;
let isFinal: (slot: number) => boolean;
/** The answer to getBlock: an HTTP status, the code of a refusal, or silence. */
let blockAnswer: { readonly status: number } | { readonly code: number } | { readonly isSilent: true };
/** Calls of getBlock that were never answered. */
let asked: number;
let ranges: (readonly [number, number])[];

const stopping = new AbortController();

beforeEach(async () => {
  [ranges, asked] = [[], 0];
  server = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as Call;
    const answer = (rest: object): void => void response.end(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
    if (method === "getBlocks") {
      const [from, to] = params as unknown as [number, number];
      ranges.push([from, to]);
      answer({ result: Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(isFinal) });
    } else if ("status" in blockAnswer) response.writeHead(blockAnswer.status).end("slow down");
    else if ("isSilent" in blockAnswer) asked += 1;
    else answer({ error: { code: blockAnswer.code, message: "no" } });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  client = new RpcClient(parseEndpoint(`http://127.0.0.1:${port}`, ["http:"]), stopping.signal, 1);
  checks = new ChainChecks(client, "node");
});
afterEach(async () => {
  client.close();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

describe("ChainChecks", () => {
  test("a root that is half a million slots on is no more to ask for than what is open", async () => {
    isFinal = () => true;
    expect(await checks.finalAmong([100, 102], 400_000)).toEqual({ final: 102, died: null });
    expect(ranges[0]![1]).toBeLessThan(1000);
  });

  test.each([-32001, -32007, -32009])("a block that is said to be gone (%i) died", async (code) => {
    [isFinal, blockAnswer] = [(slot) => slot !== 101, { code }];
    expect(await checks.finalAmong([100, 101, 102], 110)).toEqual({ final: 100, died: 101 });
  });

  test.each([{ status: 429 }, { status: 403 }, { status: 500 }, { code: -32004 }, { code: -32005 }])(
    "%j is no death: it is asked again",
    async (answer) => {
      [isFinal, blockAnswer] = [(slot) => slot !== 101, answer];
      expect(await checks.finalAmong([100, 101, 102], 110)).toEqual({ final: 100, died: null });
    },
  );

  test("no slot waits again for hashes of a node that has been silent about one", async () => {
    blockAnswer = { isSilent: true };
    for (const slot of [1, 2, 3]) expect(await checks.blockhash(slot)).toBe(null);
    expect(asked).toBe(1);
  });

  test("a long list of blocks is taken as it is", async () => {
    isFinal = () => true;
    const last = 300_000;
    expect(await checks.finalAmong([100, last], last)).toEqual({ final: last, died: null });
  });
});
