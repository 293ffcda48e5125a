import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What callers have seen since `start`. */
export interface Seen {
  answers: number;
  /** Calls that got a 503, or whose connection failed. */
  refused: number;
  /** Answers whose `X-Slot` was below that of an earlier one on the same connection. */
  wentBack: number;
  /** The longest time between two answers, in milliseconds, until now. */
  longestGapMs: number;
  newestSlot: number;
}

const PAUSE_MS = 5;

/** Callers that keep their connections and call one after another. */
export class KeptCallers {
  readonly #callers: readonly Promise<void>[];
  readonly #agents: readonly Agent[];
  #seen: Seen = emptySeen();
  #answeredAtMs = performance.now();
  #isOver = false;

  constructor(url: URL, connections: number, bodies: readonly string[]) {
    this.#agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    this.#callers = this.#agents.map((agent) => this.#call(url, agent, bodies));
  }

  /** Starts a stretch, and forgets the one before. */
  start(): Seen {
    this.#answeredAtMs = performance.now();
    return (this.#seen = emptySeen());
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
    for (const agent of this.#agents) agent.destroy();
  }

  async #call(url: URL, agent: Agent, bodies: readonly string[]): Promise<void> {
    let newest = 0;
    for (let count = 0; !this.#isOver; count += 1) {
      const slot = await ask(url, agent, bodies[count % bodies.length]!);
      const seen = this.#seen;
      if (slot === null) seen.refused += 1;
      else {
        const nowMs = performance.now();
        seen.answers += 1;
        seen.longestGapMs = Math.max(seen.longestGapMs, nowMs - this.#answeredAtMs);
        this.#answeredAtMs = nowMs;
        seen.wentBack += Number(slot < newest);
        newest = Math.max(newest, slot);
        seen.newestSlot = Math.max(seen.newestSlot, slot);
      }
      await sleep(PAUSE_MS);
    }
  }
}

const emptySeen = (): Seen => ({ answers: 0, refused: 0, wentBack: 0, longestGapMs: 0, newestSlot: 0 });

/** The slot of an answer; null of a refused call. */
const ask = (url: URL, agent: Agent, body: string): Promise<number | null> =>
  new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    request(url, { method: "POST", agent, headers }, (response) => {
      const { statusCode } = response;
      response
        .resume()
        .once("end", () => resolve(statusCode === 200 ? Number(response.headers["x-slot"]) : null));
    })
      .on("error", () => resolve(null))
      .end(body);
  });
