import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ChainHttp } from "./chain-fetch.ts";
import { TEST_KEY } from "./in-process-server.ts";

export interface ListenOptions {
  /** Default: any free port. */
  readonly port?: number;
}

export interface Listening {
  /** Where calls are posted: `http://127.0.0.1:<port>/v3/test`. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const bodyBytesMax = 1 << 20;
const loopback = "127.0.0.1";

/** Serves the chain on a port of this machine, for other processes. */
export const listen = async (http: ChainHttp, { port = 0 }: ListenOptions): Promise<Listening> => {
  const server = createServer((request, response) => {
    relay(http, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, loopback, resolve);
  });
  // A test process that forgets to close it ends anyway.
  server.unref();
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://${loopback}:${chosen}/v3/${TEST_KEY}`,
    port: chosen,
    close: () => closeServer(server),
  };
};

const relay = async (http: ChainHttp, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) {
      response.writeHead(413).end();
      return;
    }
    chunks.push(chunk);
  }
  const { connection: _, host: __, "transfer-encoding": ___, ...headers } = request.headers;
  const answer = await http.answer({
    method: request.method!,
    path: request.url!,
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks),
  });
  const { connection: _c, "keep-alive": _k, "transfer-encoding": _t, ...sent } = answer.headers;
  response.writeHead(answer.status, { ...sent, "content-length": answer.body.length }).end(answer.body);
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
