// Load that costs little itself: finished requests over plain sockets, and answers that are only counted.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TooBusyError } from "../bench.ts";
import { answerHeadOf, type AnswerRest } from "./answer-head.ts";

export interface RawLoad {
  readonly requests: number;
  readonly seconds: number;
  /** Processor time of the load itself. */
  readonly ownSeconds: number;
}

/** Until every connection has started. */
const SETTLE_MS = 300;

/** Each connection sends its next request when it has read the answer to the last. */
export const rawLoad = async (
  url: URL,
  bodies: readonly string[],
  connections: number,
  seconds: number,
): Promise<RawLoad> => {
  const requests = bodies.map((body) => requestOf(url, body));
  const counted = { answers: 0, refusals: 0, sent: 0 };
  const next = (): Buffer => requests[counted.sent++ % requests.length]!;
  const sockets = Array.from({ length: connections }, () => askOnAndOn(url, next, counted));
  try {
    await sleep(SETTLE_MS);
    const [before, cpuBefore, startMs] = [counted.answers, process.cpuUsage(), performance.now()];
    await sleep(seconds * 1000);
    const cpu = process.cpuUsage(cpuBefore);
    if (counted.refusals > 0)
      throw new TooBusyError(`${counted.refusals} of ${counted.answers} calls were refused`);
    return {
      requests: counted.answers - before,
      seconds: (performance.now() - startMs) / 1000,
      ownSeconds: (cpu.user + cpu.system) / 1e6,
    };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
};

/** Sends every request once over each of some connections, and returns how many were refused. */
export const askForAll = async (
  url: URL,
  bodies: readonly string[],
  connections: number,
): Promise<number> => {
  const requests = bodies.map((body) => requestOf(url, body));
  const counted = { answers: 0, refusals: 0 };
  const asking = Array.from({ length: connections }, (_, connection) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Each begins elsewhere, so that no request is first made by all of them at once.
    let at = Math.floor((connection * requests.length) / connections);
    let left = requests.length;
    const next = (): Buffer | null => {
      if (left-- === 0) resolve();
      return left < 0 ? null : requests[at++ % requests.length]!;
    };
    const socket = askOnAndOn(url, next, counted).once("close", () =>
      reject(new TooBusyError("a connection was closed")),
    );
    return promise.finally(() => socket.destroy());
  });
  await Promise.all(asking);
  return counted.refusals;
};

const requestOf = (url: URL, body: string): Buffer =>
  Buffer.from(
    `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );

const RESULT = '{"jsonrpc":"2.0","result":';

/** @param next - the next request; null = no more */
const askOnAndOn = (
  url: URL,
  next: () => Buffer | null,
  counted: { answers: number; refusals: number },
): Socket => {
  const socket = connect(Number(url.port), url.hostname).setNoDelay(true);
  let head: Buffer | null = null;
  let rest: AnswerRest | null = null;
  const ask = (): void => {
    const request = next();
    if (request !== null) socket.write(request);
  };
  const read = (bytes: Buffer): void => {
    if (!rest!(bytes)) return;
    rest = null;
    counted.answers += 1;
    ask();
  };
  socket.on("connect", ask);
  socket.on("error", () => void (counted.refusals += 1));
  socket.on("data", (chunk: Buffer) => {
    if (rest !== null) return read(chunk);
    const received: Buffer = head === null ? chunk : Buffer.concat([head, chunk]);
    const answer = answerHeadOf(received);
    const hasHead = answer !== null && received.length >= answer.textStart + RESULT.length;
    head = hasHead ? null : received;
    if (!hasHead) return;
    const start = received.toString("latin1", answer.textStart, answer.textStart + RESULT.length);
    if (!answer.isOk || start !== RESULT) counted.refusals += 1;
    rest = answer.rest;
    read(received.subarray(answer.bodyStart));
  });
  return socket;
};
