import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";

import { contractDocument } from "@lamplight/contract";
import { afterEach, describe, expect, test } from "vitest";

import { DEFAULT_PORT } from "../config/settings.ts";
import { assertPortFree, choosePort } from "./choose-port.ts";

const host = "127.0.0.1";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Takes a port, which another process may have taken already: in use it is in either case. */
const occupy = async (port: number): Promise<number> => {
  const server = createServer();
  const listening = once(server, "listening");
  server.listen(port, host);
  // Another process may have the port already.
  await listening.catch(() => undefined);
  if (!server.listening) return port;
  open.push(server);
  return (server.address() as AddressInfo).port;
};

describe("choosePort", () => {
  test("takes the default port, or the next free one where it is in use", async () => {
    await occupy(DEFAULT_PORT);
    const port = await choosePort(host, null);
    expect(port).toBeGreaterThan(DEFAULT_PORT);
    await occupy(port);
    expect(await choosePort(host, null)).toBeGreaterThan(port);
  });

  test("never takes a validator's ports, also where they are free", async () => {
    expect(await choosePort(host, null, 8899)).toBeGreaterThan(8900);
    expect(await choosePort(host, null, 8900)).toBeGreaterThan(8900);
  });

  test("refuses a port that was asked for and is in use, and says what to do", async () => {
    const port = await occupy(0);
    const reason = `${host}:${port} is in use; choose another with --port or LAMPLIGHT_PORT (0 picks a free one)`;
    await expect(choosePort(host, port)).rejects.toThrow(reason);
    await expect(assertPortFree(host, port)).rejects.toMatchObject({ code: "SERVER__PORT_IN_USE" });
  });

  test("leaves the port that it chose free", async () => {
    const port = await choosePort(host, null);
    await assertPortFree(host, port);
    expect(await choosePort(host, 0)).toBe(0);
  });

  test("refuses an address that is not of this machine, regardless of the port", async () => {
    await expect(choosePort("192.0.2.1", null)).rejects.toThrow(
      `cannot listen on 192.0.2.1:${DEFAULT_PORT}: this machine has no such address`,
    );
  });
});

test("the contract names the default port", () => {
  const { servers } = contractDocument as unknown as {
    readonly servers: readonly { readonly url: string }[];
  };
  expect(servers.map(({ url }) => new URL(url).port)).toEqual([String(DEFAULT_PORT)]);
});
