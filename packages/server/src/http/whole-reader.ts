import type { Socket } from "node:net";

import { refuseBusy } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import { readWhole } from "./whole-request.ts";
import { WholeResponse } from "./whole-response.ts";

/**
 * Reads a connection for as long as every chunk is one whole, plain POST of calls, which takes half the processor time
 * of node:http. The first chunk that is not, and all that follow, go to node:http as they came.
 */
export class WholeReader {
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #giveToNode: (socket: Socket) => void;
  /** What arrived before the answer to the request before it had been taken. */
  #held: Buffer | null = null;
  /** More has arrived than may wait. */
  #isRefused = false;

  constructor(connection: Connection, giveToNode: (socket: Socket) => void) {
    this.#socket = connection.socket;
    this.#connection = connection;
    this.#giveToNode = giveToNode;
    this.#socket.on("data", this.#onData);
    this.#socket.on("end", this.#onEnd);
    this.#socket.on("error", ignore);
  }

  /** Leaves the connection to node:http, with the bytes that have arrived. */
  leave(chunk: Buffer | null = null): void {
    const socket = this.#socket;
    this.#connection.wholeReader = null;
    socket.off("data", this.#onData);
    socket.off("end", this.#onEnd);
    socket.pause();
    if (chunk !== null) socket.unshift(chunk);
    this.#giveToNode(socket);
    socket.off("error", ignore);
    socket.resume();
  }

  /** The answer to the request before has been taken. */
  onIdle(): void {
    if (this.#isRefused) return refuseBusy(this.#socket, "too many requests are waiting");
    if (this.#held === null) return;
    const held = this.#held;
    this.#held = null;
    this.#connection.releaseHeld();
    this.leave(held);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#connection.isIdle) return this.#hold(chunk);
    const request = readWhole(chunk, this.#socket);
    if (request === null) return this.leave(chunk);
    this.#connection.onRequest(new WholeResponse(request, this.#connection), false);
  };

  /** As node:http does with a caller that ends its side: it expects no answer. */
  readonly #onEnd = (): void => {
    this.#socket.end();
  };

  #hold(chunk: Buffer): void {
    this.#socket.pause();
    if (this.#connection.countHeld(chunk)) this.#held = chunk;
    else this.#isRefused = true;
  }
}

/** The socket closes by itself. */
const ignore = (): void => undefined;
