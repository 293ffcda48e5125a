import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server on which everything may be lost without a word, as when its machine loses power. */
export interface Proxy {
  readonly url: string;
  /** Nothing gets through connections made so far any more, and nobody is told; new ones do. */
  swallow(): void;
  close(): Promise<void>;
}

export const startProxy = async (serverUrl: string): Promise<Proxy> => {
  const url = new URL(serverUrl);
  const server = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let swallowed: readonly Socket[] = [];
  const proxy = createServer((near) => {
    const far = connect(server);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => void (swallowed.includes(from) || to.write(bytes)));
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  url.hostname = "127.0.0.1";
  url.port = `${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    swallow: () => {
      swallowed = [...sockets];
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
};
