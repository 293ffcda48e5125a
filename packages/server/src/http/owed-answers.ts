import type { Socket } from "node:net";

import type { Gate } from "../gate/gate.ts";
import type { ServerEvents } from "../log/server-events.ts";
import type { CountedResponse } from "./response.ts";
import { type TakingParts, TakingWatch } from "./taking-watch.ts";

export interface OwedParts extends TakingParts {
  readonly gate: Gate;
  readonly events: ServerEvents;
}

/** Bytes of answers that the caller of one connection has not read at which its next request waits. */
const OWED_BYTES_MAX = 1 << 20;

/** The answers that are owed on one connection. Each counts for the holder of its own request, from its start to its end. */
export class OwedAnswers {
  readonly #parts: OwedParts;
  readonly #socket: Socket;
  readonly #taking: TakingWatch;
  /** The oldest first. */
  readonly #responses = new Set<CountedResponse>();
  #bytes = 0;

  constructor(parts: OwedParts, socket: Socket) {
    this.#parts = parts;
    this.#socket = socket;
    this.#taking = new TakingWatch(parts, socket, () => this.#onNothingTaken());
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
    if (this.#bytes === 0) this.#taking.begin();
    this.#responses.add(response);
    this.#bytes += bytes;
  }

  /** The caller has taken an answer that was owed. */
  remove(response: CountedResponse): void {
    this.#responses.delete(response);
    this.#bytes -= response.owedBytes;
    this.#parts.gate.answers.remove(response.holder, response.owedBytes);
    if (this.#bytes > 0) this.#taking.begin();
    else this.#taking.end();
  }

  removeAll(): void {
    for (const { holder, owedBytes } of this.#responses) this.#parts.gate.answers.remove(holder, owedBytes);
    this.#responses.clear();
    this.#bytes = 0;
    this.#taking.end();
  }

  #onNothingTaken(): void {
    const [first] = this.#responses;
    this.#parts.events.note("slowReaders", { address: first?.holder.address, owedBytes: this.#bytes });
    this.#socket.resetAndDestroy();
  }
}
