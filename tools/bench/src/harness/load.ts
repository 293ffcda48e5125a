// Load that costs little itself: finished requests over plain sockets, and answers that are only counted.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TooBusyError } from "../bench.ts";
import { answerHeadOf, type AnswerRest } from "./answer-head.ts";

/** A target of load: a server, and how its processor time is read. */
export interface Loaded {
  readonly url: URL;
  /** Processor time so far. */
  seconds(): number;
  /** The same of the database that it reads. */
  databaseSeconds?(): number | Promise<number>;
}

export interface LoadOptions {
  /** Each sends its next request when it has read the answer to the last. */
  readonly connections: number;
  /** The shortest stretch. */
  readonly seconds: number;
}

/** The result of one stretch of load. */
export interface Load {
  readonly perSecond: number;
  /** Processor time of one request, in microseconds, which other processes on the machine hardly change. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
  /** Processors that the server used, and the load itself. */
  readonly cores: number;
  readonly loadCores: number;
}

/** Milliseconds until every connection has started. */
const SETTLE_MS = 300;
/** The longest stretch, for requests of which not even one of each connection is answered in the seconds asked for. */
const STRETCH_SECONDS_MAX = 120;
/** Milliseconds between two checks of the number of answers. */
const CHECK_MS = 50;

/**
 * Sends the bodies in turn. A server answers long calls side by side, so that all of them end late: a stretch lasts until
 * there are as many answers as connections.
 *
 * @throws TooBusyError where nothing is answered, a call is refused, or a connection fails
 */
export const load = async (
  server: Loaded,
  bodies: readonly string[],
  { connections, seconds }: LoadOptions,
): Promise<Load> => {
  const databaseSeconds = server.databaseSeconds ?? ((): number => 0);
  const before = [server.seconds(), await databaseSeconds()] as const;
  const startMs = performance.now();
  const counted = await count(server.url, bodies, connections, seconds);
  const elapsed = (performance.now() - startMs) / 1000;
  const spent = [server.seconds() - before[0], (await databaseSeconds()) - before[1]] as const;
  // The server is loaded a little longer than the answers are counted.
  const micros = (one: number): number => ((one / elapsed) * counted.seconds * 1e6) / counted.answers;
  return {
    perSecond: counted.answers / counted.seconds,
    serverMicros: micros(spent[0]),
    databaseMicros: micros(spent[1]),
    cores: spent[0] / elapsed,
    loadCores: counted.ownSeconds / counted.seconds,
  };
};

/** Microseconds of server and database together. */
export const totalMicros = ({ serverMicros, databaseMicros }: Load): number => serverMicros + databaseMicros;

const count = async (
  url: URL,
  bodies: readonly string[],
  connections: number,
  seconds: number,
): Promise<{ readonly answers: number; readonly seconds: number; readonly ownSeconds: number }> => {
  const requests = bodies.map((body) => requestOf(url, body));
  const counted = { answers: 0, refusals: 0, sent: 0 };
  let isOver = false;
  const next = (): Buffer => requests[counted.sent++ % requests.length]!;
  const sockets = Array.from({ length: connections }, () =>
    askOnAndOn(url, next, counted).once("close", () => void (counted.refusals += isOver ? 0 : 1)),
  );
  try {
    await sleep(SETTLE_MS);
    const [before, cpuBefore, startMs] = [counted.answers, process.cpuUsage(), performance.now()];
    await sleep(seconds * 1000);
    const untilMs = startMs + STRETCH_SECONDS_MAX * 1000;
    while (counted.answers - before < connections && counted.refusals === 0 && performance.now() < untilMs)
      await sleep(CHECK_MS);
    const { user, system } = process.cpuUsage(cpuBefore);
    const answers = counted.answers - before;
    if (counted.refusals > 0 || answers === 0)
      throw new TooBusyError(`${answers} answers, ${counted.refusals} refusals or errors from ${url.host}`);
    const elapsed = (performance.now() - startMs) / 1000;
    return { answers, seconds: elapsed, ownSeconds: (user + system) / 1e6 };
  } finally {
    isOver = true;
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

/** After the bracket of a batch, too. */
const resultPattern = /^\[?\{"jsonrpc":"2\.0","result":/u;
/** The longest that it matches. */
const RESULT_LENGTH = 27;

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
    const hasHead = answer !== null && (!answer.isOk || received.length >= answer.textStart + RESULT_LENGTH);
    head = hasHead ? null : received;
    if (!hasHead) return;
    const start = received.toString("latin1", answer.textStart, answer.textStart + RESULT_LENGTH);
    if (!answer.isOk || !resultPattern.test(start)) counted.refusals += 1;
    rest = answer.rest;
    read(received.subarray(answer.bodyStart));
  });
  return socket;
};
