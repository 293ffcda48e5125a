import type { Socket } from "node:net";

import { refuseBusy } from "./client-error.ts";
import type { Connection } from "./connection.ts";
import { readWhole } from "./whole-request.ts";
import { WholeResponse } from "./whole-response.ts";

/**
 * Reads a connection for as long as every chunk is one whole, plain POST of calls. That takes two thirds of the processor
 * time that node:http takes. The first chunk that is not, and all that follow, go to node:http as they came.
 */
export class WholeReader {
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #giveToNode: (socket: Socket) => void;
  /** A chunk has arrived while an answer is in progress. It lies in the socket. */
  #isHolding = false;
  /** More has arrived than may wait. */
  #isRefused = false;

  constructor(connection: Connection, giveToNode: (socket: Socket) => void) {
    this.#socket = connection.socket;
    this.#connection = connection;
    this.#giveToNode = giveToNode;
    this.#socket.on("data", this.#onData);
    this.#socket.on("error", ignore);
  }

  /** Leaves the connection to node:http, with the bytes that have arrived. */
  leave(): void {
    const socket = this.#socket;
    this.#connection.wholeReader = null;
    socket.off("data", this.#onData);
    socket.pause();
    this.#giveToNode(socket);
    socket.off("error", ignore);
    socket.resume();
  }

  /** The answer to the request before has been taken. */
  onIdle(): void {
    if (!this.#socket.writable) return;
    if (this.#isRefused) return refuseBusy(this.#socket, "too many requests are waiting");
    if (!this.#isHolding) return;
    this.#connection.releaseHeld();
    this.leave();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#connection.isIdle) return this.#hold(chunk);
    const request = readWhole(chunk, this.#socket);
    if (request === null) {
      this.#keep(chunk);
      return this.leave();
    }
    this.#connection.onRequest(new WholeResponse(request, this.#connection), false);
  };

  #hold(chunk: Buffer): void {
    this.#keep(chunk);
    if (this.#connection.countHeld()) this.#isHolding = true;
    else this.#isRefused = true;
  }

  /** Puts a chunk back, so that the end of the caller's side does not overtake it. */
  #keep(chunk: Buffer): void {
    this.#socket.pause();
    this.#socket.unshift(chunk);
  }
}

/** The socket closes by itself. */
const ignore = (): void => undefined;
