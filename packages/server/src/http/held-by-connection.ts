import type { Socket } from "node:net";

import type { Gate } from "../gate/gate.ts";
import type { Holder } from "../gate/shared-bound.ts";
import { type Limits, STEADY_BYTES_S } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import { type Deadlines, NOT_WATCHED, type Watched } from "./deadlines.ts";
import type { SystemQueues } from "./system-queues.ts";

/** Checks of the queues of the system within the time after which a caller is disconnected. */
const CHECKS = 8;

/**
 * Share of `STEADY_BYTES_S` that counts as taking. The first check comes only after a while, and the system delivers whole
 * segments. So a caller that takes exactly as much would otherwise be late now and then.
 */
const TAKEN_SHARE = 1 / 2;

export interface HeldParts {
  readonly deadlines: Deadlines;
  readonly queues: SystemQueues;
  readonly limits: Limits;
  readonly gate: Gate;
  readonly events: ServerEvents;
}

/**
 * What one connection holds of the bounds of the gate: requests that wait on it, and bytes of answers that its caller has
 * not taken. A caller that takes none of them for `takeTimeoutMs` is disconnected. A write that is over shows that it takes
 * some. But a slow caller ends no write for minutes, since the system reports room in its buffers by large parts. So its
 * queues are checked, too.
 */
export class HeldByConnection implements Watched {
  deadlineTick = NOT_WATCHED;
  earlier: Watched | null = null;
  later: Watched | null = null;
  readonly #parts: HeldParts;
  readonly #socket: Socket;
  /** An amount that is counted for a holder is given back for the same one, although the next call may show another key. */
  #holder: Holder | null = null;
  #waiting = 0;
  #owedBytes = 0;
  /** Bytes whose write was over when that was last checked. */
  #written = 0;
  /** Bytes that the system had not delivered when the caller had last taken some; null = not checked yet. */
  #undelivered: number | null = null;
  #checkAtMs = 0;

  constructor(parts: HeldParts, socket: Socket) {
    this.#parts = parts;
    this.#socket = socket;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  get owedBytes(): number {
    return this.#owedBytes;
  }

  /** Whether one more request may wait. */
  hasRoom(holder: Holder): boolean {
    return this.#parts.gate.waiting.hasRoom(this.#holder ?? holder, 1);
  }

  addWaiting(holder: Holder): void {
    this.#holder ??= holder;
    this.#waiting += 1;
    this.#parts.gate.waiting.add(this.#holder, 1);
  }

  removeWaiting(requests = 1): void {
    if (this.#holder === null || requests === 0) return;
    this.#waiting -= requests;
    this.#parts.gate.waiting.remove(this.#holder, requests);
    this.#forgetHolder();
  }

  owe(holder: Holder, bytes: number): void {
    if (this.#socket.destroyed) return;
    this.#holder ??= holder;
    const isFirst = this.#owedBytes === 0;
    this.#owedBytes += bytes;
    this.#parts.gate.answers.add(this.#holder, bytes);
    if (isFirst) this.#watchTaking();
  }

  /** The caller has taken so much. False where the connection is closed: that has given back all of it at once. */
  release(bytes: number): boolean {
    if (this.#holder === null || this.#socket.destroyed || this.#owedBytes < bytes) return false;
    this.#owedBytes -= bytes;
    this.#parts.gate.answers.remove(this.#holder, bytes);
    this.#forgetHolder();
    if (this.#owedBytes === 0) this.#parts.deadlines.release(this);
    else this.#watchTaking();
    return true;
  }

  /** Gives back all, since the connection is closed. */
  end(): void {
    if (this.#holder !== null) this.#parts.gate.answers.remove(this.#holder, this.#owedBytes);
    this.#owedBytes = 0;
    this.removeWaiting(this.#waiting);
    this.#parts.deadlines.release(this);
  }

  #forgetHolder(): void {
    if (this.#waiting === 0 && this.#owedBytes === 0) this.#holder = null;
  }

  /** The time begins, also again: something is owed, or was taken. */
  #watchTaking(): void {
    this.#written = writtenTo(this.#socket);
    this.#undelivered = null;
    this.#checkLater();
    this.#parts.deadlines.watch(this, this.#timeoutMs);
  }

  onTick(): void {
    if (this.#hasWritten()) return this.#watchTaking();
    if (performance.now() < this.#checkAtMs) return;
    this.#checkLater();
    void this.#check();
  }

  onDeadline(): void {
    if (this.#hasWritten()) return this.#watchTaking();
    const address = this.#holder?.address;
    this.#parts.events.note("slowReaders", { address, owedBytes: this.#owedBytes });
    this.#socket.resetAndDestroy();
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
