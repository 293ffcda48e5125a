import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChainHttp } from "./chain-fetch.ts";
import { type HttpCall, type InProcessServer, testKey } from "./in-process-server.ts";

export interface ListenOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Whether it also serves the explorer and the documentation, over this chain. Default false. */
  readonly explorer?: boolean;
}

export interface Listening {
  /** Where calls are posted: `http://127.0.0.1:<port>/v3/test`. */
  readonly url: string;
  readonly port: number;
  /** DAS clients post their calls to this address: `http://127.0.0.1:<port>/das/test`. Null unless the chain has `methods: ["das"]`. */
  readonly dasUrl: string | null;
  /** Where a person opens the explorer: `http://127.0.0.1:<port>/explore/`. Null without `explorer`. */
  readonly explorerUrl: string | null;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1 << 20;
const loopback = "127.0.0.1";

/**
 * Serves the chain on a port of this machine, for other processes.
 *
 * @param pages - answers what is no call; null = there is no explorer
 */
export const listen = async (
  http: ChainHttp,
  { port = 0 }: ListenOptions,
  pages: InProcessServer | null,
): Promise<Listening> => {
  const server = createServer((request, response) => {
    relay(http, pages, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, resolve);
  });
  // A test process that forgets to close it ends anyway.
  server.unref();
  const { port: chosen } = server.address() as AddressInfo;
  const host = `${loopback}:${chosen}`;
  return {
    url: `http://${host}/v3/${testKey}`,
    dasUrl: http.dasPath === null ? null : `http://${host}${http.dasPath}`,
    explorerUrl: pages === null ? null : `http://${host}/explore/`,
    port: chosen,
    close: async () => {
      await closeServer(server);
      await pages?.close();
    },
  };
};

const relay = async (
  http: ChainHttp,
  pages: InProcessServer | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) {
      response.writeHead(413).end();
      return;
    }
    chunks.push(chunk);
  }
  const { connection: _, host: __, "transfer-encoding": ___, ...headers } = request.headers;
  const call: HttpCall = {
    method: request.method!,
    path: request.url!,
    // Links of the pages name this address.
    headers: { ...headers, host: `${loopback}:${request.socket.localPort}` } as HttpCall["headers"],
    body: Buffer.concat(chunks),
  };
  const isPage = call.method === "GET" || call.method === "HEAD";
  const answer = await (isPage && pages !== null ? pages.call(call) : http.answer(call));
  const { connection: _c, "keep-alive": _k, "transfer-encoding": _t, ...sent } = answer.headers;
  response.writeHead(answer.status, { ...sent, "content-length": answer.body.length }).end(answer.body);
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
