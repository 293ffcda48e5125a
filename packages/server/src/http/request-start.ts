import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

import { isLamplightError, LamplightError } from "@lamplight/errors";

import type { Caller } from "../keys.ts";
import type { Limits } from "../limits.ts";
import type { ServerEvents } from "../log/server-events.ts";
import { type RequestObserver, RequestRecord } from "../observe/request-record.ts";
import type { AllowedHosts } from "./allowed-hosts.ts";
import { HttpRequest, type HttpRequestParts } from "./http-request.ts";
import type { Connection } from "./connection.ts";
import { type CountedResponse, sendRefusal } from "./response.ts";
import { callAddressPage, type HttpPages } from "./http-pages.ts";
import type { KeyCheck } from "./key-check.ts";
import {
  HEADERS_MAX,
  hasUnknownCoding,
  isCallPath,
  keyOf,
  lacksHost,
  pathOf,
  readinessKeyOf,
  refuseHead,
  repeatsHost,
  routeOf,
} from "./request-head.ts";

export interface RequestStartParts {
  readonly addresses: readonly CallAddress[];
  readonly keyCheck: KeyCheck;
  readonly allowedHosts: AllowedHosts;
  readonly limits: Limits;
  readonly events: ServerEvents;
  readonly site: HttpPages;
  /** A connection that was refused is not among them. */
  readonly connections: WeakMap<Socket, Connection>;
  /** Null = nothing observes requests. */
  readonly requests: RequestObserver | null;
}

/** A name of the DNS has at most 253 characters, and a port five. */
const HOST_CHARS_MAX = 260;

/** Where the calls of one contract go. */
export interface CallAddress {
  /** Path before the key. */
  readonly path: string;
  readonly parts: HttpRequestParts;
}

interface AddressedCall extends CallAddress {
  readonly key: string;
}

/** Receives each request by its head, which waits its turn on its connection. Starts it then: checks host and path, and sends it on to a page, to readiness, or with its key to the calls. */
export class RequestStart {
  readonly #parts: RequestStartParts;

  constructor(parts: RequestStartParts) {
    this.#parts = parts;
  }

  /** Receives the requests of a server. */
  serve(server: Server): void {
    const receive = (request: IncomingMessage, response: unknown): void =>
      this.#receive(request, response as CountedResponse, false);
    server.on("request", receive);
    server.on("checkContinue", (request, response) =>
      this.#receive(request, response as CountedResponse, true),
    );
    // No expectation but `100-continue` is known, and RFC 9110 §10.1.1 lets a server ignore the others.
    server.on("checkExpectation", receive);
  }

  #receive(request: IncomingMessage, response: CountedResponse, asksToContinue: boolean): void {
    const connection = this.#parts.connections.get(request.socket);
    if (connection === undefined) return;
    // Node would close the connection at this method, with the answers to earlier requests.
    if (request.method === "PRI") request.method = "HTTP/2";
    // Its parser drops what follows in the same chunk. Clients that offer h2c wait for the answer, and keep the connection.
    const { upgrade = "h2c" } = request.headers;
    if (upgrade.toLowerCase() !== "h2c") response.shouldKeepAlive = false;
    response.client = connection;
    const { requests } = this.#parts;
    if (requests !== null) response.record = new RequestRecord(requests, request);
    connection.onRequest(response, asksToContinue);
  }

  start(connection: Connection, response: CountedResponse, asksToContinue: boolean): void {
    const { req: request } = response;
    const path = pathOf(request.url ?? "/");
    const address = this.#addressOf(path);
    const { record } = response;
    if (record !== null) {
      record.address = response.holder.address;
      if (path !== null) record.route = address === null ? routeOf(path) : "call";
    }
    const refusal = this.#refuse(connection, request, path);
    if (refusal !== null || path === null) {
      response.shouldKeepAlive = false;
      return sendRefusal(response, refusal!);
    }
    // A body that is not read may bring trailers after the answer: no further request comes behind it.
    const isUnread = address === null || request.method !== "POST";
    if (isUnread && request.headers["transfer-encoding"] !== undefined) response.shouldKeepAlive = false;
    if (address === null || request.method === "OPTIONS")
      return this.#answerPage(connection, request, response, path);
    const call = { ...address, key: keyOf(path, address.path) };
    if (request.method !== "POST") {
      if (this.#parts.site.sendHelp(callAddressPage, 405, request, response)) return;
      // Before the key: who opens the address in a browser should read what is wrong.
      const error = new LamplightError("REQUEST__HTTP_METHOD", { answered: "POST" });
      new HttpRequest(address.parts, response, call.key).refuseUnread(error, ["Allow", "POST, OPTIONS"]);
    } else {
      this.#checkCall(connection, response, call, asksToContinue);
    }
  }

  /** Null where no calls go to this path. */
  #addressOf(path: string | null): CallAddress | null {
    if (path === null) return null;
    for (const address of this.#parts.addresses) if (isCallPath(path, address.path)) return address;
    return null;
  }

  #checkCall(
    connection: Connection,
    response: CountedResponse,
    call: AddressedCall,
    asksToContinue: boolean,
  ): void {
    const { caller } = connection;
    const { key } = call;
    const isKnown = caller !== null && connection.key === key && caller.mayCall();
    const found = isKnown ? caller : this.#parts.keyCheck.check(connection, response, key);
    // A right key is the connection's: of a key cut from a URL, V8 would keep all of the URL.
    const { key: ownKey } = connection;
    this.#startCall(response, { parts: call.parts, key: ownKey }, asksToContinue, found);
  }

  #answerPage(
    connection: Connection,
    request: IncomingMessage,
    response: CountedResponse,
    path: string,
  ): void {
    const { site } = this.#parts;
    const starts = this.#parts.addresses.map((address) => address.path);
    const key = readinessKeyOf(path, request, starts);
    if (key === null) return site.answer(path, request, response);
    const found = this.#parts.keyCheck.check(connection, response, key);
    if (found instanceof LamplightError) return sendRefusal(response, found, retryAfter(found));
    setCaller(response, found);
    void site.sendReadiness(response, true);
  }

  /** The error of a request that is refused regardless of the path; null for others. */
  #refuse(connection: Connection, request: IncomingMessage, path: string | null): LamplightError | null {
    if (request.httpVersionMajor !== 1) return new LamplightError("REQUEST__HTTP_VERSION", {});
    // Node drops what follows, so that nothing else of this head can be relied on.
    if (request.rawHeaders.length > 2 * HEADERS_MAX)
      return new LamplightError("REQUEST__TOO_MANY_HEADERS", { limit: HEADERS_MAX });
    if (hasUnknownCoding(request)) return new LamplightError("REQUEST__TRANSFER_ENCODING", {});
    if (path === null || lacksHost(request) || repeatsHost(request))
      return new LamplightError("REQUEST__TARGET", {});
    // No browser sends an absolute target to a server that is no proxy; its own host is what counts there.
    return request.url!.startsWith("/") ? this.#refuseHost(connection, request) : null;
  }

  #refuseHost(connection: Connection, { headers }: IncomingMessage): LamplightError | null {
    const { host = "" } = headers;
    if (host === connection.host) return null;
    if (!this.#parts.allowedHosts.allows(host)) {
      this.#parts.events.note("hostsRefused", { address: connection.address });
      return new LamplightError("REQUEST__HOST_NOT_ALLOWED", {});
    }
    // It is kept as long as the connection.
    if (host.length <= HOST_CHARS_MAX) connection.host = host;
    return null;
  }

  #startCall(
    response: CountedResponse,
    call: Pick<AddressedCall, "key" | "parts">,
    asksToContinue: boolean,
    found: Caller | LamplightError,
  ): void {
    const isRefused = found instanceof LamplightError;
    setCaller(response, isRefused ? null : found);
    const received = new HttpRequest(call.parts, response, call.key);
    const refusal = isRefused ? found : refuseHead(response.req, this.#parts.limits.bodyBytes);
    if (refusal !== null) received.refuseUnread(refusal, retryAfter(refusal));
    else if (!received.refuseWhereFull() && asksToContinue) response.writeContinue();
  }
}

/** The key of a request was checked: from now on, it counts for this caller. */
const setCaller = (response: CountedResponse, caller: Caller | null): void => {
  const { holder, record } = response;
  if (holder.caller !== caller) response.holder = { ...holder, caller };
  if (record !== null) record.caller = caller;
};

const retryAfter = (error: LamplightError): readonly string[] =>
  isLamplightError(error, "REQUEST__RATE") ? ["Retry-After", String(error.context.retryAfterSeconds)] : [];
