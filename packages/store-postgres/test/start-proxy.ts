import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server on which everything may be lost without a word, as when its machine loses power. */
export interface Proxy {
  /** The URL of a store of the server, by this way. */
  urlOf(storeUrl: string): string;
  /** Nothing gets through connections made so far any more, and no one is notified; new ones do. */
  swallow(): void;
  /** The same, and no one gets through any more. */
  vanish(): void;
  /** From now on, what the server says is changed so. */
  alter(change: (bytes: Buffer) => Buffer): void;
  /** Ends every connection, and each new one at once. */
  hangUp(): void;
  /** Lets new connections through again. */
  goOn(): void;
  /** The number of connections made. */
  connections(): number;
  close(): Promise<void>;
}

const asItIs = (bytes: Buffer): Buffer => bytes;

export const startProxy = async (serverUrl: string): Promise<Proxy> => {
  const url = new URL(serverUrl);
  const server = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let swallowed: readonly Socket[] = [];
  let changed = asItIs;
  let isHungUp = false;
  let connections = 0;
  const proxy = createServer((near) => {
    connections += 1;
    if (isHungUp) {
      near.destroy();
      return;
    }
    const far = connect(server);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes: Buffer) => {
        if (!swallowed.includes(from)) to.write(from === far ? changed(bytes) : bytes);
      });
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  const swallow = (): void => {
    swallowed = [...sockets];
  };
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    urlOf: (storeUrl) => {
      const way = new URL(storeUrl);
      way.hostname = "127.0.0.1";
      way.port = `${port}`;
      return way.href;
    },
    swallow,
    vanish: () => {
      swallow();
      proxy.close();
    },
    alter: (change) => {
      changed = change;
    },
    hangUp: () => {
      isHungUp = true;
      endAll();
    },
    goOn: () => {
      isHungUp = false;
    },
    connections: () => connections,
    close: async () => {
      endAll();
      if (!proxy.listening) return;
      proxy.close();
      await once(proxy, "close");
    },
  };
};
