import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { SpentReport } from "../harness/probe-spent.ts";
import { serveStore } from "../harness/serve.ts";
import type { AttackSizes } from "./attack.ts";

/** Two callers. */
const attackKeys = ["attacker-attacker", "bystander-bystander"] as const;
const [attacker, bystander] = attackKeys;
export { attacker, bystander };

/** A server under attack. */
export interface AttackedServer {
  readonly url: string;
  readonly port: number;
  /** Fails where the process has ended. */
  spent(): Promise<SpentReport>;
  stop(): void;
}

export const startAttacked = async (
  { file, checkout, workers = 1 }: Pick<AttackSizes, "checkout" | "file" | "workers">,
  limits: object = {},
): Promise<AttackedServer> => {
  const { url, report, stop } = await serveStore(`sqlite:${file}`, {
    ...(checkout === undefined ? {} : { checkout }),
    probe: "probe-spent.ts",
    workers,
    keys: attackKeys,
    limits,
  });
  return { url: url.origin, port: Number(url.port), spent: () => report<SpentReport>(), stop };
};

export interface Posted {
  readonly status: number;
  readonly text: string;
  readonly tookMs: number;
}

export const postCall = async (
  server: AttackedServer,
  body: string,
  key: string = attacker,
): Promise<Posted> => {
  const startMs = performance.now();
  const response = await fetch(`${server.url}/v3/${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, tookMs: performance.now() - startMs };
};

export const requestText = (body: string, key: string = attacker): string =>
  `POST /v3/${key} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Connections that write all of a text and read nothing of what is answered. */
export const openUnread = async (
  server: AttackedServer,
  connections: number,
  text: string,
): Promise<readonly Socket[]> => {
  const sockets: Socket[] = [];
  for (let index = 0; index < connections; index++) {
    const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    socket.pause();
    socket.write(text);
    sockets.push(socket);
  }
  return sockets;
};

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
