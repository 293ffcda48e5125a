import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import type { PostgresLocation } from "./location.ts";
import { CLOSE_GRACE_MS, CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS } from "./settings.ts";

/** The driver's connection with access to its socket, so that it can be closed at once during a statement. */
export interface Connection {
  readonly client: Client;
  readonly socket: Socket;
}

/** @param purpose - name of the session in the server's views */
export const makeConnection = (
  location: PostgresLocation,
  purpose: string,
  more: ClientConfig = {},
): Connection => {
  const socket = new Socket();
  const client = new Client({
    stream: () => socket,
    connectionString: location.connectionString,
    application_name: `lamplight ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...more,
  });
  return { client, socket };
};

/** Ends it with a goodbye message, and waits only briefly if the server is gone. */
export const endConnection = async ({ client, socket }: Connection): Promise<void> => {
  const impatient = setTimeout(() => socket.destroy(), CLOSE_GRACE_MS);
  try {
    await client.end();
  } finally {
    clearTimeout(impatient);
  }
};
