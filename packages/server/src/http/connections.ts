import { closeSync, openSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";

import { addressOf } from "./address.ts";
import { Connection, type ConnectionParts } from "./connection.ts";
import type { ConnectionCounts } from "./connection-counts.ts";
import { refuseConnection } from "./client-error.ts";
import { ReadTurns } from "./read-turns.ts";

const SWEEP_MS = 1000;

export interface ConnectionsOptions extends Omit<ConnectionParts, "addresses" | "readTurns"> {
  /** Whether callers are known by what a proxy forwards: then connections are the proxy's own, and not bounded. */
  readonly trustProxy: boolean;
  readonly counts: ConnectionCounts;
  /** Gets each connection that is not refused. */
  readonly bySocket: WeakMap<Socket, Connection>;
}

/** The open connections of a server: each is bounded, by address and by the time that it brings no request. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #parts: ConnectionParts;
  readonly #open = new Set<Connection>();
  readonly #idleSweepsMax: number;
  #sweeping: NodeJS.Timeout | null = null;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    const { limits, trustProxy, counts } = options;
    this.#parts = { ...options, addresses: trustProxy ? counts : null, readTurns: new ReadTurns() };
    this.#idleSweepsMax = Math.ceil((limits.keepAliveMs + limits.receiveTimeoutMs) / SWEEP_MS) + 1;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Receives the connections of a server, before Node reads from them: each may be one too many. */
  serve(server: Server): void {
    server.prependListener("connection", (socket) => this.#onConnection(socket));
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
    this.#options.bySocket.set(socket, connection);
    this.#open.add(connection);
    socket.once("close", () => {
      this.#open.delete(connection);
      counts.leave();
      if (!trustProxy) counts.leaveAddress(address);
      connection.onClosed();
    });
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
