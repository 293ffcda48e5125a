import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Two callers. */
export const ATTACK_KEYS = ["attacker-attacker", "bystander-bystander"] as const;
const [attacker, bystander] = ATTACK_KEYS;
export { attacker, bystander };

/** What the server spent since the last report; `counts` and `usedMs` since its start. */
export interface SpentReport {
  /** What the process holds in memory, without files that are mapped. */
  readonly peakBytes: number;
  /** Of the heap and what it holds outside. */
  readonly peakHeapBytes: number;
  /** Longest stretch of processor time in which the event loop did not go round. */
  readonly holdMs: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly usedMs: number;
}

/** A server under attack. */
export interface AttackedServer {
  readonly url: string;
  readonly port: number;
  /** Fails where the process has ended. */
  spent(): Promise<SpentReport>;
  stop(): void;
}

export const startAttacked = async (file: string, limits: object = {}): Promise<AttackedServer> => {
  const child = fork(new URL("attack-server.ts", import.meta.url), [file, JSON.stringify(limits)], {
    execArgv: ["--conditions=@lamplight/source"],
  });
  const { url } = await messageOf<{ url: string }>(child);
  return {
    url,
    port: Number(new URL(url).port),
    spent: () => {
      child.send("report");
      return messageOf<SpentReport>(child);
    },
    stop: () => void child.kill("SIGKILL"),
  };
};

const messageOf = async <Message>(child: ChildProcess): Promise<Message> => {
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the server ended with ${String(code ?? signal)}`);
  });
  const [message] = (await Promise.race([once(child, "message"), ended])) as [Message];
  return message;
};

export const rpcCall = (method: string, params: unknown, id = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

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
