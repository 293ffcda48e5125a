import { closeSync, openSync } from "node:fs";
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import { type RequestObserver, RequestRecord } from "../observe/request-record.ts";
import { addressOf } from "./address.ts";
import { Connection, type ConnectionParts } from "./connection.ts";
import type { ConnectionCounts } from "./connection-counts.ts";
import { refuseConnection } from "./client-error.ts";
import type { CountedResponse } from "./counted-response.ts";

const SWEEP_MS = 1000;

export interface ConnectionsOptions extends Omit<ConnectionParts, "addresses"> {
  /** Whether callers are known by what a proxy forwards: then connections are the proxy's own, and not bounded. */
  readonly trustProxy: boolean;
  readonly counts: ConnectionCounts;
  /** Null = nothing observes requests. */
  readonly observer: RequestObserver | null;
}

/** The open connections of a server: each is bounded, by address and by the time that it brings no request. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #parts: ConnectionParts;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Connection>();
  readonly #idleSweepsMax: number;
  #sweeping: NodeJS.Timeout | null = null;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    const { limits, trustProxy, counts } = options;
    this.#parts = { ...options, addresses: trustProxy ? counts : null };
    this.#idleSweepsMax = Math.ceil((limits.keepAliveMs + limits.receiveTimeoutMs) / SWEEP_MS) + 1;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Receives the connections and requests of a server. */
  serve(server: Server): void {
    // Before Node reads from it: it may be one too many.
    server.prependListener("connection", (socket) => this.#onConnection(socket));
    server.on("request", (request, response) => this.#onRequest(request, response as CountedResponse, false));
    server.on("checkContinue", (request, response) =>
      this.#onRequest(request, response as CountedResponse, true),
    );
    // No expectation but `100-continue` is known, and RFC 9110 §10.1.1 lets a server ignore the others.
    server.on("checkExpectation", (request, response) =>
      this.#onRequest(request, response as CountedResponse, false),
    );
  }

  /** Undefined for a connection that was refused. */
  of(socket: Socket): Connection | undefined {
    return this.#bySocket.get(socket);
  }

  /** Counts a connection, or refuses it; one too many of all is destroyed. */
  #onConnection(socket: Socket): void {
    const { trustProxy, events, counts, limits } = this.#options;
    if (!counts.enter()) {
      events.note("connectionsFull", { connections: limits.connections });
      socket.destroy();
      return;
    }
    const address = addressOf(socket.remoteAddress);
    if (!trustProxy && !counts.enterAddress(address)) {
      // It stays open for the answer, for a second at most.
      socket.once("close", () => counts.leave());
      events.note("addressFull", { address });
      refuseConnection(socket);
      return;
    }
    const connection = new Connection(this.#parts, socket, address);
    this.#bySocket.set(socket, connection);
    this.#open.add(connection);
    socket.once("close", () => {
      this.#open.delete(connection);
      counts.leave();
      if (!trustProxy) counts.leaveAddress(address);
      connection.onClosed();
    });
  }

  #onRequest(request: IncomingMessage, response: CountedResponse, asksToContinue: boolean): void {
    const connection = this.of(request.socket);
    if (connection === undefined) return;
    // Node would close the connection at this method, with the answers to earlier requests.
    if (request.method === "PRI") request.method = "HTTP/2";
    // Its parser drops what follows in the same chunk. Clients that offer h2c wait for the answer, and keep the connection.
    const { upgrade = "h2c" } = request.headers;
    if (upgrade.toLowerCase() !== "h2c") response.shouldKeepAlive = false;
    response.client = connection;
    const { observer } = this.#options;
    if (observer !== null) response.record = new RequestRecord(observer, request);
    connection.onRequest(response, asksToContinue);
  }

  start(): void {
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#sweeping.unref();
  }

  stop(): void {
    if (this.#sweeping !== null) clearInterval(this.#sweeping);
  }

  /**
   * Closes connections that bring no request. Node's own keep-alive timer begins again with every byte, so that blank
   * lines hold a connection for ever. Sweeps are counted, not time: a sweep that comes late closes nothing early.
   */
  #sweep(): void {
    for (const connection of this.#open) {
      if (!connection.isIdle) connection.idleSweeps = 0;
      else if (++connection.idleSweeps > this.#idleSweepsMax) {
        this.#options.events.note("idleConnections", { address: connection.address });
        connection.socket.destroy();
      }
    }
    this.#watchDescriptors();
  }

  /** The system closes connections in silence when there is no descriptor for them. */
  #watchDescriptors(): void {
    try {
      closeSync(openSync("/dev/null", "r"));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EMFILE" || code === "ENFILE")
        this.#options.events.note("descriptors", { connections: this.#open.size });
    }
  }
}
