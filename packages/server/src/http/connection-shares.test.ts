// One address must not use all connections.
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBlockedStore } from "../../test/blocked-store.ts";
import { callText, post, startTestServer } from "../../test/protocol-server.ts";
import { createSmallStore, smallAddress, type SmallStore } from "../../test/small-store.ts";
import { type RunningServer, startServer } from "../start-server.ts";

const search = callText("searchAssets", { burnt: false });
const account = callText("getAccountInfo", [smallAddress]);

let store: SmallStore;
beforeAll(async () => {
  store = await createSmallStore();
});
afterAll(() => store.remove());

/** Opens a connection from an address of this machine and waits until it is answered. */
const open = async (server: RunningServer, localAddress: string) => {
  const socket = connect({ port: server.port, host: "127.0.0.1", localAddress });
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  socket.on("error", () => undefined);
  socket.write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => received).toContain('"}');
  return { socket, status: Number(received.slice(9, 12)), received };
};

describe("connections of one address", () => {
  test("are bounded, and free again once they are closed", async () => {
    const server = await startTestServer({ limits: { connectionsPerAddress: 3 } });
    try {
      const opened = [];
      for (let count = 0; count < 3; count++) opened.push(await open(server, "127.0.0.1"));
      expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
      const refused = await open(server, "127.0.0.1");
      expect(refused.status).toBe(503);
      expect(refused.received).toContain("Retry-After: 1\r\n");
      expect(server.counts().addressFull).toBeGreaterThan(0);
      const other = await open(server, "127.0.0.2");
      expect(other.status).toBe(200);
      opened[0]!.socket.destroy();
      const again = async (): Promise<number> => (await open(server, "127.0.0.1")).status;
      await expect.poll(again).toBe(200);
      for (const { socket } of [...opened, refused, other]) socket.destroy();
    } finally {
      await server.stop();
    }
  });

  test("with trustProxy the forwarded address counts, by its requests in progress", async () => {
    const { viewSource, held } = createBlockedStore(store);
    const limits = { connectionsPerAddress: 2 };
    const server = await startServer({ viewSource, keys: ["one"], port: 0, limits, trustProxy: true });
    try {
      const from = (address: string, body = search) =>
        post(server, body, { "x-forwarded-for": `9.9.9.9, ${address}` }, "/v3/one");
      const waiting = [from("10.0.0.1"), from("10.0.0.1"), from("10.0.0.2")];
      await expect.poll(() => held.length).toBe(3);
      expect((await from("10.0.0.1", account)).status).toBe(503);
      expect((await from("10.0.0.2", account)).status).toBe(200);
      held.forEach((goOn) => goOn());
      await Promise.all(waiting);
      expect((await from("10.0.0.1", account)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });

  test("blank lines do not keep one open", async () => {
    const limits = { keepAliveMs: 1000, receiveTimeoutMs: 1000 };
    const server = await startTestServer({ limits });
    try {
      const { socket } = await open(server, "127.0.0.1");
      const blank = setInterval(() => socket.write("\r\n"), 100);
      await once(socket, "close");
      clearInterval(blank);
      expect(server.counts().idleConnections).toBe(1);
    } finally {
      await server.stop();
    }
  });
});
