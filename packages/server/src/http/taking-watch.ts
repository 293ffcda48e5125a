import type { Socket } from "node:net";

import { type Limits, STEADY_BYTES_S } from "../limits.ts";
import { type Deadlines, NOT_WATCHED, type Watched } from "./deadlines.ts";
import type { SystemQueues } from "./system-queues.ts";

/** Checks of the queues of the system within the time after which a caller is disconnected. */
const CHECKS = 8;

/**
 * Share of `STEADY_BYTES_S` that counts as taking. The first check comes only after a while, and the system delivers whole
 * segments. So a caller that takes exactly as much would otherwise be late now and then.
 */
const TAKEN_SHARE = 1 / 2;

export interface TakingParts {
  readonly deadlines: Deadlines;
  readonly queues: SystemQueues;
  readonly limits: Limits;
}

/**
 * Watches whether a caller takes what it is owed, and reports one that takes none of it for `takeTimeoutMs`. A write that is
 * over shows that it takes some. But a slow caller ends no write for minutes, since the system reports room in its buffers
 * by large parts. So its queues are checked, too.
 */
export class TakingWatch implements Watched {
  deadlineTick = NOT_WATCHED;
  earlier: Watched | null = null;
  later: Watched | null = null;
  readonly #parts: TakingParts;
  readonly #socket: Socket;
  readonly #onNothingTaken: () => void;
  /** Bytes whose write was over when that was last checked. */
  #written = 0;
  /** Bytes that the system had not delivered when the caller had last taken some; null = not checked yet. */
  #undelivered: number | null = null;
  #checkAtMs = 0;

  constructor(parts: TakingParts, socket: Socket, onNothingTaken: () => void) {
    this.#parts = parts;
    this.#socket = socket;
    this.#onNothingTaken = onNothingTaken;
  }

  /** The time begins, also again: something is owed, or was taken. */
  begin(): void {
    this.#written = writtenTo(this.#socket);
    this.#undelivered = null;
    this.#checkLater();
    this.#parts.deadlines.watch(this, this.#timeoutMs);
  }

  onTick(): void {
    if (this.#hasWritten()) return this.begin();
    if (performance.now() < this.#checkAtMs) return;
    this.#checkLater();
    void this.#check();
  }

  onDeadline(): void {
    if (this.#hasWritten()) this.begin();
    else this.#onNothingTaken();
  }

  /** Nothing is owed. */
  end(): void {
    this.#parts.deadlines.release(this);
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
}

/** Bytes whose write is over. Answers are written in slices, so that a slow caller makes it grow too. */
const writtenTo = ({ bytesWritten, writableLength }: Socket): number => bytesWritten - writableLength;
