import { once } from "node:events";
import { createServer } from "node:net";

import { isLamplightError } from "@lamplight/errors";

import { DEFAULT_PORT } from "../config/settings.ts";
import { toListenError } from "../http/listen-error.ts";

/** Ports of a validator's RPC and WebSocket. One that starts later must find them free. */
const validatorPorts: ReadonlySet<number> = new Set([8899, 8900]);
/** Ports tried one after the other. */
const PORTS_TRIED_MAX = 100;
const PORT_MAX = 65_535;
const portSettings = "--port or LAMPLIGHT_PORT";

/**
 * Fails before anything is built or loaded for a server that could not listen. Listens for a moment: another process may
 * still take the port before the server does.
 *
 * @throws LamplightError `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN`
 */
export const assertPortFree = async (host: string, port: number): Promise<void> => {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, "listening");
  } catch (error) {
    throw toListenError(error as NodeJS.ErrnoException, { host, port, portSettings });
  }
  probe.close();
  await once(probe, "close");
};

/**
 * The port that was asked for, or else the default one, or else the next free one above it.
 *
 * @param asked - null = the user named none
 * @throws LamplightError as `assertPortFree`, where the port that was asked for is in use, or too many are
 */
export const choosePort = async (
  host: string,
  asked: number | null,
  from = DEFAULT_PORT,
): Promise<number> => {
  if (asked !== null) {
    await assertPortFree(host, asked);
    return asked;
  }
  const last = Math.min(from + PORTS_TRIED_MAX, PORT_MAX);
  for (let port = from; ; port += 1) {
    if (validatorPorts.has(port)) continue;
    try {
      await assertPortFree(host, port);
      return port;
    } catch (error) {
      if (!isLamplightError(error, "SERVER__PORT_IN_USE") || port >= last) throw error;
    }
  }
};
