import type { Socket } from "node:net";

import type { Gate } from "../gate/gate.ts";
import { type Limits, STEADY_BYTES_S } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import { type Deadlines, NOT_WATCHED, type Watched } from "./deadlines.ts";
import type { CountedResponse } from "./response.ts";
import type { SystemQueues } from "./system-queues.ts";

export interface OwedParts {
  readonly gate: Gate;
  readonly events: ServerEvents;
  readonly deadlines: Deadlines;
  readonly queues: SystemQueues;
  readonly limits: Limits;
}

/** Bytes of answers that the caller of one connection has not read at which its next request waits. */
const OWED_BYTES_MAX = 1 << 20;

/** Checks of the queues of the system within the time after which a caller is disconnected. */
const CHECKS = 8;

/**
 * Share of `STEADY_BYTES_S` that counts as taking. The first check comes only after a while, and the system delivers whole
 * segments. So a caller that takes exactly as much would otherwise be late now and then.
 */
const TAKEN_SHARE = 1 / 2;

/**
 * The answers that are owed on one connection. Each counts for the holder of its own request, from its start to its end.
 *
 * A caller that takes nothing of them for `takeTimeoutMs` is disconnected. A write that is over shows that it takes some.
 * But a slow caller ends no write for minutes, since the system reports room in its buffers by large parts. So its queues
 * are checked, too.
 */
export class OwedAnswers implements Watched {
  deadlineTick = NOT_WATCHED;
  earlier: Watched | null = null;
  later: Watched | null = null;
  readonly #parts: OwedParts;
  readonly #socket: Socket;
  /** The oldest first. */
  readonly #responses = new Set<CountedResponse>();
  #bytes = 0;
  /** Bytes whose write was over when that was last checked. */
  #written = 0;
  /** Bytes that the system had not delivered when the caller had last taken some; null = not checked yet. */
  #undelivered: number | null = null;
  #checkAtMs = 0;

  constructor(parts: OwedParts, socket: Socket) {
    this.#parts = parts;
    this.#socket = socket;
  }

  /** Bytes that the caller has not taken. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the next request waits. */
  get isTooMuch(): boolean {
    return this.#bytes >= OWED_BYTES_MAX;
  }

  add(response: CountedResponse, bytes: number): void {
    if (this.#socket.destroyed) return;
    response.owedBytes = bytes;
    this.#parts.gate.answers.add(response.holder, bytes);
    if (this.#bytes === 0) this.#begin();
    this.#responses.add(response);
    this.#bytes += bytes;
  }

  /** The caller has taken an answer that was owed. */
  remove(response: CountedResponse): void {
    this.#responses.delete(response);
    this.#bytes -= response.owedBytes;
    this.#parts.gate.answers.remove(response.holder, response.owedBytes);
    if (this.#bytes > 0) this.#begin();
    else this.#parts.deadlines.release(this);
  }

  removeAll(): void {
    for (const { holder, owedBytes } of this.#responses) this.#parts.gate.answers.remove(holder, owedBytes);
    this.#responses.clear();
    this.#bytes = 0;
    this.#parts.deadlines.release(this);
  }

  /** The time begins, also again: something is owed, or was taken. */
  #begin(): void {
    this.#written = writtenTo(this.#socket);
    this.#undelivered = null;
    this.#checkLater();
    this.#parts.deadlines.watch(this, this.#timeoutMs);
  }

  onTick(): void {
    if (this.#hasWritten()) return this.#begin();
    if (performance.now() < this.#checkAtMs) return;
    this.#checkLater();
    void this.#check();
  }

  onDeadline(): void {
    if (this.#hasWritten()) this.#begin();
    else this.#onNothingTaken();
  }

  get #timeoutMs(): number {
    return this.#parts.limits.takeTimeoutMs;
  }

  #checkLater(): void {
    this.#checkAtMs = performance.now() + this.#timeoutMs / CHECKS;
  }

  /** Also true while nothing is there to be taken. */
  #hasWritten(): boolean {
    return this.#socket.writableLength === 0 || this.#written !== writtenTo(this.#socket);
  }

  /** A queue that has grown was filled again, in room that the caller has made. */
  async #check(): Promise<void> {
    const undelivered = await this.#parts.queues.undelivered(this.#socket);
    if (undelivered === null || this.deadlineTick === NOT_WATCHED) return;
    const before = this.#undelivered;
    const takenMin = (TAKEN_SHARE * STEADY_BYTES_S * this.#timeoutMs) / 1000;
    if (before !== null && Math.abs(undelivered - before) < takenMin) return;
    this.#undelivered = undelivered;
    if (before !== null) this.#parts.deadlines.watch(this, this.#timeoutMs);
  }

  #onNothingTaken(): void {
    const [first] = this.#responses;
    this.#parts.events.note("slowReaders", { address: first?.holder.address, owedBytes: this.#bytes });
    this.#socket.resetAndDestroy();
  }
}

/** Bytes whose write is over. Answers are written in slices, so that a slow caller makes it grow too. */
const writtenTo = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
