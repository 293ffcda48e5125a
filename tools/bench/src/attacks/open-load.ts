// A process that sends requests at a rate, whether or not earlier ones are answered, and measures the answers.
import { connect, type Socket } from "node:net";
import { Random } from "@lamplight/devchain";

export interface OpenLoad {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** Whole HTTP requests, picked at random. */
  readonly requests: readonly string[];
  readonly seed: number;
}

export interface OpenLoadResult {
  readonly sent: number;
  /** Milliseconds of every accepted call, by request. */
  readonly acceptedMs: readonly (readonly number[])[];
  readonly refused: number;
  readonly failed: number;
  readonly perSecond: number;
  /** Measured. */
  readonly seconds: number;
}

/**
 * Opened before the load begins, as those of a proxy or of a client that keeps them: a server accepts one connection in
 * each round of its event loop. A request that finds none free is not sent.
 */
const CONNECTIONS = 400;
const probe = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";
/** The last share of the load is measured; the load before it is warm-up. */
const MEASURED_SHARE = 0.8;

class Sender {
  readonly #load: OpenLoad;
  readonly #idle: Socket[] = [];
  sent = 0;
  refused = 0;
  failed = 0;
  readonly acceptedMs: number[][];
  isMeasuring = false;

  constructor(load: OpenLoad) {
    this.#load = load;
    this.acceptedMs = load.requests.map(() => []);
  }

  async open(): Promise<void> {
    for (let opened = 0; opened < CONNECTIONS; opened++) {
      const socket = connect({ port: this.#load.port, host: "127.0.0.1", noDelay: true });
      socket.setEncoding("latin1");
      socket.on("error", () => this.#count("failed"));
      await new Promise<void>((resolve) => this.#exchange(socket, probe, () => resolve()));
    }
  }

  send(kind: number): void {
    const socket = this.#idle.pop();
    if (socket === undefined) return this.#count("failed");
    this.#count("sent");
    const sentAt = performance.now();
    this.#exchange(socket, this.#load.requests[kind]!, (status) => {
      if (status !== 200) this.#count("refused");
      else if (this.isMeasuring) this.acceptedMs[kind]!.push(performance.now() - sentAt);
    });
  }

  #exchange(socket: Socket, request: string, onAnswer: (status: number) => void): void {
    let received = "";
    const onData = (chunk: string): void => {
      received += chunk;
      const status = answeredStatus(received);
      if (status === null) return;
      socket.off("data", onData);
      this.#idle.push(socket);
      onAnswer(status);
    };
    socket.on("data", onData);
    socket.write(request);
  }

  #count(what: "sent" | "refused" | "failed"): void {
    if (this.isMeasuring) this[what]++;
  }
}

const answeredStatus = (received: string): number | null => {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const length = Number(/content-length: (\d+)/iu.exec(received.slice(0, headEnd))?.[1]);
  return received.length >= headEnd + 4 + length ? Number(received.slice(9, 12)) : null;
};

const runLoad = async (load: OpenLoad): Promise<OpenLoadResult> => {
  const random = new Random(load.seed, 0, 0);
  const sender = new Sender(load);
  await sender.open();
  const startMs = performance.now();
  const measureAtMs = startMs + load.seconds * 1000 * (1 - MEASURED_SHARE);
  const endMs = startMs + load.seconds * 1000;
  const gapMs = 1000 / load.perSecond;
  let nextMs = startMs;
  while (nextMs < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const nowMs = performance.now();
    sender.isMeasuring ||= nowMs > measureAtMs;
    for (; nextMs <= nowMs; nextMs += gapMs * 2 * (random.below(1_000_000) / 1_000_000))
      sender.send(random.below(load.requests.length));
  }
  const { sent, refused, failed, acceptedMs } = sender;
  // The load waits for calls that are still under way.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const seconds = load.seconds * MEASURED_SHARE;
  return { sent, refused, failed, acceptedMs, perSecond: sent / seconds, seconds };
};

process.once("message", (load: OpenLoad) => {
  void runLoad(load).then((result) => process.send!(result, undefined, undefined, () => process.exit()));
});
