import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";

import type { MethodSettings, Readable } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { ServerTransport } from "@open-rpc/server-js/build/transports/server-transport.js";

import { ConnectionKeys, type KeyRing } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { Log } from "../log/log.ts";
import { chooseProfile, type ProfileSetting } from "../profile.ts";
import type { CallObserver } from "../rpc/observer.ts";
import { RequestContext } from "../rpc/request-context.ts";
import type { StrictRouter } from "../rpc/strict-router.ts";
import { CallExchange, type ExchangeParts } from "./call-exchange.ts";
import { onClientError } from "./client-error.ts";
import { Deadlines } from "./deadlines.ts";
import { isCallPath, pathOf, refuseHead } from "./request-head.ts";
import type { Site } from "./site.ts";

export interface HttpTransportOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly router: StrictRouter;
  readonly readable: Readable;
  readonly methodSettings: MethodSettings;
  readonly keys: KeyRing;
  readonly profile: ProfileSetting;
  readonly limits: Limits;
  readonly log: Log;
  readonly observe: CallObserver;
  readonly baseUrl: (request: IncomingMessage) => string;
  readonly site: Site;
}

/** While stopping: between two looks for connections that have become idle. */
const IDLE_SWEEP_MS = 20;

/** The transport of server-js on our own node:http server: strict, bounded, one write per reply. */
export class HttpTransport extends ServerTransport {
  readonly #options: HttpTransportOptions;
  readonly #exchangeParts: ExchangeParts;
  readonly #server: Server;
  readonly #keys: ConnectionKeys;
  #isDraining = false;

  constructor(options: HttpTransportOptions) {
    super();
    this.addRouter(options.router);
    this.#options = options;
    this.#keys = new ConnectionKeys(options.keys);
    const { router, limits, log, observe } = options;
    this.#exchangeParts = {
      router,
      limits,
      log,
      observe,
      deadlines: new Deadlines(),
      isDraining: () => this.#isDraining,
    };
    this.#server = this.#createServer();
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Where the server listens; the port is the real one even when 0 was asked for. */
  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** @throws LamplightError `SERVER__PORT_IN_USE`, `SERVER__CANNOT_LISTEN` */
  override start(): Promise<void> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      const onError = (error: NodeJS.ErrnoException): void => reject(toListenError(error, host, port));
      this.#server.once("error", onError);
      this.#server.listen(port, host, () => {
        this.#server.off("error", onError);
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
    this.#isDraining = true;
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#server.closeAllConnections(), this.#options.limits.drainMs);
      const closeIdle = (): void => this.#server.closeIdleConnections();
      const sweep = setInterval(() => setImmediate(closeIdle), IDLE_SWEEP_MS);
      NetServer.prototype.close.call(this.#server, () => {
        clearTimeout(deadline);
        clearInterval(sweep);
        resolve();
      });
    });
  }

  #createServer(): Server {
    const { limits } = this.#options;
    const server = createServer({
      keepAliveTimeout: limits.keepAliveMs,
      headersTimeout: limits.headersTimeoutMs,
      // Only a backstop: bodies have their own deadline, which answers in JSON.
      requestTimeout: 2 * (limits.headersTimeoutMs + limits.bodyTimeoutMs),
      connectionsCheckingInterval: 1000,
      noDelay: true,
    });
    server.maxConnections = limits.connections;
    server.on("request", (request, response) => this.#onRequest(request, response, false));
    server.on("checkContinue", (request, response) => this.#onRequest(request, response, true));
    server.on("clientError", (error, socket) => onClientError(error, socket as Socket));
    return server;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse, asksToContinue: boolean): void {
    const path = pathOf(request.url ?? "/");
    if (!isCallPath(path) || request.method === "OPTIONS")
      return this.#options.site.answer(path, request, response);
    const refusal = refuseHead(request, path, this.#keys, this.#options.limits.bodyBytes);
    const exchange = new CallExchange(this.#exchangeParts, request, response, () =>
      this.#openContext(request, path),
    );
    if (refusal !== null)
      exchange.refuse(refusal, refusal.code === "REQUEST__HTTP_METHOD" ? ["Allow", "POST, OPTIONS"] : []);
    else if (asksToContinue) response.writeContinue();
  }

  #openContext(request: IncomingMessage, path: string): RequestContext {
    const { readable, profile, methodSettings, baseUrl } = this.#options;
    const chosen = chooseProfile(profile, request.headers["solana-client"]);
    return new RequestContext(readable, chosen, methodSettings, () => `${baseUrl(request)}${path}`);
  }
}

const toListenError = (error: NodeJS.ErrnoException, host: string, port: number): LamplightError => {
  if (error.code === "EADDRINUSE")
    return new LamplightError("SERVER__PORT_IN_USE", { host, port }, { cause: error });
  return new LamplightError(
    "SERVER__CANNOT_LISTEN",
    { host, port, reason: reasonOf(error) },
    { cause: error },
  );
};

const reasonOf = (error: NodeJS.ErrnoException): string => {
  switch (error.code) {
    case "EACCES":
      return "not permitted; ports below 1024 need rights";
    case "EADDRNOTAVAIL":
      return "this machine has no such address";
    case "ENOTFOUND":
      return "the host name is not known";
    default:
      return error.code ?? error.message;
  }
};
