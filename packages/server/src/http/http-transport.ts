import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { MethodSettings, ViewSource } from "@lamplight/core";
import { ServerTransport } from "../rpc/server-js.ts";

import { Gate } from "../gate/gate.ts";
import type { WorkerGate } from "../gate/gate-memory.ts";
import type { KeyMeter } from "../gate/key-meter.ts";
import { createGuessesMemory, KeyGuesses } from "../gate/key-guesses.ts";
import { createCellsMemory, SharedCells } from "../gate/shared-cells.ts";
import type { KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { Log } from "../log/log.ts";
import type { ServerEvents } from "../log/server-events.ts";
import type { ProfileSetting } from "../profile.ts";
import type { StoreDamage } from "../readiness/store-damage.ts";
import type { RequestObserver } from "../observe/request-record.ts";
import type { CallObserver } from "../rpc/observer.ts";
import type { StrictRouter } from "../rpc/strict-router.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { clientErrorAnswer, type LastAnswer, refuseConnect } from "./client-error.ts";
import { AnswerCompression } from "./compression.ts";
import type { Connection } from "./connection.ts";
import { Connections } from "./connections.ts";
import { ConnectionCounts } from "./connection-counts.ts";
import { CountedResponse } from "./response.ts";
import { Deadlines } from "./deadlines.ts";
import { fitConnections } from "./descriptor-limit.ts";
import { KeyCheck } from "./key-check.ts";
import { toListenError } from "./listen-error.ts";
import { HEADERS_MAX } from "./request-head.ts";
import { RequestStart } from "./request-start.ts";
import type { HttpPages } from "./http-pages.ts";
import { SystemQueues } from "./system-queues.ts";

export interface HttpTransportOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Whether others listen on the same port too. */
  readonly sharesPort: boolean;
  /** Where what callers hold is counted together with other servers; null = alone. */
  readonly shared: WorkerGate | null;
  /** By the path of their contract; the first is the one of every server. */
  readonly routers: ReadonlyMap<string, StrictRouter>;
  readonly viewSource: ViewSource;
  readonly methodSettings: MethodSettings;
  readonly keys: KeyRing;
  /** Charges calls to the keys of a store; null = there is none. */
  readonly keyMeter: KeyMeter | null;
  readonly allowedHosts: AllowedHosts;
  readonly trustProxy: boolean;
  readonly profile: ProfileSetting;
  readonly limits: Limits;
  readonly log: Log;
  readonly events: ServerEvents;
  readonly damage: StoreDamage;
  readonly slowCallMs: number;
  /** Null = nothing observes calls. */
  readonly observe: CallObserver | null;
  /** Null = nothing observes requests. */
  readonly requests: RequestObserver | null;
  readonly baseUrl: (request: IncomingMessage) => string;
  readonly site: HttpPages;
}

/** The amounts that callers hold at this moment. Each has its bound in `Limits`. */
export interface ServerLoad {
  readonly connections: number;
  readonly waitingRequests: number;
  readonly waitingCalls: number;
  /** Those of `waitingCalls` for which there is no read view now. */
  readonly waitingForView: number;
  readonly owedBytes: number;
  readonly bodiesBytes: number;
  readonly readViews: number;
  /** Requests that wait for their first read view, and batches that wait for a further one. */
  readonly viewQueue: number;
}

/** Beyond the time for a head and a body, which have deadlines of their own. */
const REQUEST_SLACK_MS = 60_000;

/** While stopping: between two looks for connections that have become idle. */
const IDLE_SWEEP_MS = 20;

/** The transport of server-js on our own node:http server: strict and bounded. Small replies are one write. */
export class HttpTransport extends ServerTransport {
  readonly #options: HttpTransportOptions;
  readonly #server: Server;
  readonly #gate: Gate;
  readonly #connections: Connections;
  readonly #bySocket = new WeakMap<Socket, Connection>();

  constructor(options: HttpTransportOptions) {
    super();
    for (const router of options.routers.values()) this.addRouter(router);
    this.#options = options;
    const { routers, log, slowCallMs, observe, events, damage, keys, trustProxy, shared, keyMeter } = options;
    const { viewSource, methodSettings, profile, baseUrl } = options;
    const limits = { ...options.limits, connections: fitConnections(options.limits.connections, log) };
    const deadlines = new Deadlines();
    const gate = new Gate({ limits, keys, shared });
    const cells = cellsOf(shared, limits.connections);
    this.#gate = gate;
    const guesses = new KeyGuesses(limits.wrongKeys, shared?.memory.guesses ?? createGuessesMemory());
    const compression = new AnswerCompression(cells.compressions);
    const said = { limits, log, slowCallMs, observe, events, damage, keyMeter };
    const asked = { viewSource, methodSettings, profile, baseUrl };
    const parts = { ...said, ...asked, deadlines, gate, compression };
    const addresses = [...routers].map(([path, router]) => ({ path, parts: { ...parts, path, router } }));
    const keyCheck = new KeyCheck(keys, guesses, events);
    const start = new RequestStart({ ...options, limits, addresses, keyCheck, connections: this.#bySocket });
    this.#connections = new Connections({
      limits,
      counts: new ConnectionCounts(cells.connections, limits),
      deadlines,
      queues: new SystemQueues(),
      gate,
      events,
      trustProxy,
      starter: start,
      bySocket: this.#bySocket,
    });
    this.#server = this.#createServer(start);
  }

  get isDraining(): boolean {
    return this.#gate.isDraining;
  }

  get load(): ServerLoad {
    const { waitingForPlace: waitingForView } = this.#gate.queue;
    return {
      connections: this.#connections.size,
      waitingRequests: this.#gate.waiting.held,
      waitingCalls: this.#gate.queue.size,
      waitingForView,
      owedBytes: this.#gate.answers.held,
      bodiesBytes: this.#gate.bodyBytes,
      readViews: this.#gate.places.held,
      viewQueue: waitingForView + this.#gate.queue.batches.size,
    };
  }

  /** Where the server listens; the port is the real one even when 0 was asked for. */
  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** Starts without a port: connections come through `accept` only. */
  startUnbound(): void {
    this.#connections.start();
    this.#gate.start();
  }

  /** Serves a connection that another part of this process holds the other end of. */
  accept(stream: Duplex): void {
    this.#server.emit("connection", stream);
  }

  /** @throws LamplightError `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN` */
  override start(): Promise<void> {
    const { host, port, sharesPort } = this.#options;
    return new Promise((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException): void =>
        reject(toListenError(error, { host, port, portSettings: "--port or LAMPLIGHT_PORT" }));
      this.#server.once("error", onError);
      this.#server.listen({ host, port, reusePort: sharesPort }, () => {
        this.#server.off("error", onError);
        this.startUnbound();
        this.#server.on("error", (error) => this.#options.log.error({ err: error }, "HTTP server error"));
        resolve();
      });
    });
  }

  /**
   * Takes no new connections, lets calls under way finish within `drainMs`, then cuts the rest off. The `close` of
   * node:http would hang up at once on every connection without a request it has read, also where one has arrived
   * already; behind `setImmediate`, what has arrived is read.
   */
  override stop(): Promise<void> {
    this.#gate.isDraining = true;
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#server.closeAllConnections(), this.#options.limits.drainMs);
      const closeIdle = (): void => this.#server.closeIdleConnections();
      const sweep = setInterval(() => setImmediate(closeIdle), IDLE_SWEEP_MS);
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(deadline);
        clearInterval(sweep);
        this.#connections.stop();
        this.#gate.stop();
        // Ends the timer of node:http, which would keep this server in memory.
        this.#server.close();
        resolve();
      });
    });
  }

  #createServer(start: RequestStart): Server {
    const { limits } = this.#options;
    const server = createServer({
      keepAliveTimeout: limits.keepAliveMs,
      headersTimeout: limits.receiveTimeoutMs,
      // Only a backstop: bodies have their own deadline, which answers in JSON.
      requestTimeout: 2 * limits.receiveTimeoutMs + REQUEST_SLACK_MS,
      connectionsCheckingInterval: 1000,
      noDelay: true,
      // We refuse such a request ourselves, so that its answer is counted like any other.
      requireHostHeader: false,
      ServerResponse: CountedResponse as never,
    });
    // Node drops further ones without a word. One more than is accepted shows that there are too many.
    server.maxHeadersCount = HEADERS_MAX + 1;
    // A caller that has ended its side still reads the answers to what it sent.
    Object.assign(server, { httpAllowHalfOpen: true });
    this.#connections.serve(server);
    start.serve(server);
    server.on("connect", (_, socket) => this.#onConnect(socket as Socket));
    server.on("clientError", (error, socket) => this.#onClientError(error, socket as Socket));
    return server;
  }

  /**
   * Node looks for late requests before it reads what has arrived. After this process itself was held up, such a
   * request may lie there complete: it is read first.
   */
  #onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    const answer = clientErrorAnswer(error);
    if (connection === undefined || answer === null) return void socket.destroy();
    // Bytes behind the last request of a connection: its answer is the last one.
    if (error.code === "HPE_CLOSED_CONNECTION") return;
    if (error.code !== "ERR_HTTP_REQUEST_TIMEOUT") return this.#fail(connection, answer);
    // Nothing is read from it while its earlier requests wait. `Connections` finds a request whose rest never comes.
    if (!connection.isIdle) return;
    const { heads } = connection;
    setImmediate(() => {
      if (connection.heads === heads) this.#fail(connection, answer);
    });
  }

  /** Reports what cannot be read once it is answered: as the request that it breaks off, or by itself. */
  #fail(connection: Connection, { status, hasEnded, send }: LastAnswer): void {
    connection.fail((socket, broken) => {
      const bytes = send(socket);
      if (broken === null || broken.isOver) return this.#options.requests?.onUnreadable?.(status);
      if (hasEnded) return broken.end(0, 0);
      broken.error = "REQUEST__INVALID";
      broken.end(status, bytes);
    });
  }

  /** Node reads nothing behind a CONNECT, and leaves the socket to us: earlier answers are still being written to it. */
  #onConnect(socket: Socket & { readonly _httpMessage?: CountedResponse | null }): void {
    socket.on("error", () => undefined);
    // oxlint-disable-next-line no-underscore-dangle -- Node has removed the listener that does this
    socket.on("drain", () => socket._httpMessage?.emit("drain"));
    this.#bySocket.get(socket)?.fail(refuseConnect);
  }
}

/** The cells of the counts that are kept in cells also where there is one worker. */
const cellsOf = (shared: WorkerGate | null, connections: number) => {
  if (shared !== null) {
    const { memory, worker } = shared;
    return {
      connections: new SharedCells(memory.connections, worker),
      compressions: new SharedCells(memory.compressions, worker),
    };
  }
  return {
    connections: new SharedCells(createCellsMemory(connections, 1), 0),
    compressions: new SharedCells(createCellsMemory(1, 1), 0),
  };
};
