import type { Socket } from "node:net";

import type { Gate } from "../gate/gate.ts";
import type { Holder } from "../gate/shared-bound.ts";
import type { Limits } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import { TakeWatch, type TakeWatchParts } from "./take-watch.ts";

export interface HeldParts extends TakeWatchParts {
  readonly limits: Limits;
  readonly gate: Gate;
  readonly events: ServerEvents;
}

/**
 * What one connection holds of the bounds of the gate: requests that wait on it, and bytes of answers that its caller has
 * not taken. A caller that takes none of them for `takeTimeoutMs` is disconnected.
 */
export class HeldByConnection {
  readonly #parts: HeldParts;
  readonly #socket: Socket;
  /** An amount that is counted for a holder is given back for the same one, although the next call may show another key. */
  #holder: Holder | null = null;
  /** Requests that wait. */
  waiting = 0;
  owedBytes = 0;
  /** Made with the first answer that the system does not take at once. */
  #takeWatch: TakeWatch | null = null;

  constructor(parts: HeldParts, socket: Socket) {
    this.#parts = parts;
    this.#socket = socket;
  }

  /** Whether one more request may wait. */
  hasRoom(holder: Holder): boolean {
    return this.#parts.gate.waiting.hasRoom(this.#holder ?? holder, 1);
  }

  addWaiting(holder: Holder): void {
    this.#holder ??= holder;
    this.waiting += 1;
    this.#parts.gate.waiting.add(this.#holder, 1);
  }

  removeWaiting(requests = 1): void {
    if (this.#holder === null || requests === 0) return;
    this.waiting -= requests;
    this.#parts.gate.waiting.remove(this.#holder, requests);
    this.#forgetHolder();
  }

  owe(holder: Holder, bytes: number): void {
    if (this.#socket.destroyed) return;
    this.#holder ??= holder;
    const isFirst = this.owedBytes === 0;
    this.owedBytes += bytes;
    this.#parts.gate.answers.add(this.#holder, bytes);
    if (isFirst) this.#watchTaking();
  }

  /** The caller has taken so much. False where the connection is closed: that has given back all of it at once. */
  release(bytes: number): boolean {
    if (this.#holder === null || this.#socket.destroyed || this.owedBytes < bytes) return false;
    this.owedBytes -= bytes;
    this.#parts.gate.answers.remove(this.#holder, bytes);
    this.#forgetHolder();
    if (this.owedBytes === 0) this.#takeWatch?.stop();
    else this.#watchTaking();
    return true;
  }

  /** Gives back all, since the connection is closed. */
  end(): void {
    if (this.#holder !== null) this.#parts.gate.answers.remove(this.#holder, this.owedBytes);
    this.owedBytes = 0;
    this.removeWaiting(this.waiting);
    this.#takeWatch?.stop();
  }

  #forgetHolder(): void {
    if (this.waiting === 0 && this.owedBytes === 0) this.#holder = null;
  }

  #watchTaking(): void {
    const { takeTimeoutMs } = this.#parts.limits;
    this.#takeWatch ??= new TakeWatch(this.#parts, this.#socket, takeTimeoutMs, () => this.#onNothingTaken());
    this.#takeWatch.start();
  }

  #onNothingTaken(): void {
    const address = this.#holder?.address;
    this.#parts.events.note("slowReaders", { address, owedBytes: this.owedBytes });
    this.#socket.resetAndDestroy();
  }
}
