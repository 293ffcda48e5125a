// A local server that does to a fetcher what strangers do. For tests only: nothing here is exported by the package.

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HostileServer {
  readonly port: number;
  /** Paths asked for so far. */
  readonly asked: readonly string[];
  on(path: string, listener: RequestListener): void;
  /** Ends every connection, endless ones too. */
  close(): Promise<void>;
}

/** Listens on one loopback address; unknown paths answer 404. */
export const startHostileServer = async (address = "127.0.0.1"): Promise<HostileServer> => {
  const listeners = new Map<string, RequestListener>();
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const listener = listeners.get(path);
    if (listener === undefined) response.writeHead(404).end();
    else listener(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    on: (path, listener) => {
      listeners.set(path, listener);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
