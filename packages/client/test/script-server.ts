// A real HTTP server that answers as a test says.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Never answers. */
  readonly isSilent?: boolean;
  /** Ends the connection without an answer. */
  readonly isDropped?: boolean;
}

export interface ScriptServer {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/** Answers the nth request with what `answer` makes of it. */
export const startScriptServer = async (
  answer: (request: Received, count: number) => Scripted,
): Promise<ScriptServer> => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { url = "", method = "", headers } = request;
    const one = { path: url, method, headers, body: Buffer.concat(pieces).toString("utf8") };
    received.push(one);
    const { status = 200, headers: more = {}, body = "", isSilent, isDropped } = answer(one, received.length);
    if (isDropped === true) request.socket.destroy();
    if (isSilent === true || isDropped === true) return;
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

/** A server for each test of a file, which ends with the test. */
export const useScriptServer = () => {
  let server: ScriptServer;
  afterEach(() => server.close());
  return {
    /** @returns its address */
    start: async (answer: (request: Received, count: number) => Scripted): Promise<string> => {
      server = await startScriptServer(answer);
      return server.url;
    },
    received: (): Received[] => server.received,
  };
};

/** A result of `getTokenSupply`. */
export const supplyText =
  '{"context":{"apiVersion":"1.0.0","slot":5},"value":{"amount":"1","decimals":0,"uiAmount":1.0,"uiAmountString":"1"}}';

/** A JSON-RPC response with the id of the request. */
export const resultFor = ({ body }: Received, resultText: string): string =>
  `{"jsonrpc":"2.0","result":${resultText},"id":${(JSON.parse(body) as { id: number }).id}}`;
