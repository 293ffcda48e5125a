import type { IncomingMessage } from "node:http";

import { LamplightError } from "@lamplight/errors";

import type { Discovery } from "../rpc/discovery.ts";
import { callPath } from "../rpc/served-contract.ts";
import { type FixedDocument, fixDocument, sendDocument } from "./fixed-document.ts";
import { type CountedResponse, sendEmpty, sendRefusal, sendText } from "./response.ts";
import { jsonContentType, preflightHeadersFor } from "./headers.ts";
import type { PicturePolicy } from "./picture-policy.ts";
import { livenessBody, type Readiness } from "./probes.ts";
import type { StaticSite } from "./static-site.ts";

export interface SiteParts {
  readonly readiness: Readiness;
  readonly isDraining: () => boolean;
  readonly discovery: Discovery;
  /** The one key that may be shown to anybody; null when there is none. */
  readonly publicKey: string | null;
  /** Scheme, host and port under which this request reached us. */
  readonly baseUrl: (request: IncomingMessage) => string;
  /** Names of the contracts that are served besides the main one. */
  readonly methods: readonly string[];
  /** The picture settings in `docs-config.json`. */
  readonly pictures: PicturePolicy["config"];
  /** Null when the documentation is not installed. */
  readonly docs: StaticSite | null;
  /** Origins that get a private-network preflight granted; empty unless the server listens on loopback. */
  readonly privateNetworkOrigins: readonly string[];
}

const retryAfterSeconds = "1";
const dasPath = /^\/das(?:\/|$)/u;
const servesDas = "the DAS methods are answered by a server that was started with --methods das";

/** Everything that is no call: preflights, the contract, probes, documentation. */
export class HttpPages {
  readonly #parts: SiteParts;
  readonly #config: FixedDocument;
  /** The contract by the address in it, which callers may choose by their Host. */
  readonly #contracts = new Map<string, FixedDocument>();
  /** Time at which the first of them was made. */
  #contractsSinceMs = 0;

  constructor(parts: SiteParts) {
    this.#parts = parts;
    const { publicKey, methods, pictures } = parts;
    this.#config = fixDocument(
      Buffer.from(JSON.stringify({ publicKey, ...(methods.length === 0 ? {} : { methods }), ...pictures })),
      jsonContentType,
    );
  }

  /** Answers, or says why not; a body that comes along is left to Node to drop. */
  answer(path: string, request: IncomingMessage, response: CountedResponse): void {
    if (this.#parts.isDraining()) response.shouldKeepAlive = false;
    const { method = "" } = request;
    if (method === "OPTIONS")
      return sendEmpty(response, 204, preflightHeadersFor(request, this.#parts.privateNetworkOrigins));
    if (!this.#has(path)) {
      if (this.sendHelp(missingPage, 404, request, response)) return;
      const hint = dasPath.test(path) && !this.#parts.methods.includes("das") ? servesDas : undefined;
      return sendRefusal(response, new LamplightError("REQUEST__NOT_FOUND", { hint }));
    }
    if (method !== "GET" && method !== "HEAD") {
      const error = new LamplightError("REQUEST__HTTP_METHOD", { answered: "GET" });
      return sendRefusal(response, error, ["Allow", "GET, HEAD, OPTIONS"]);
    }
    this.#get(path, request, response);
  }

  /** Answers a person in a browser with a page of the documentation; false where a program asks, or without that page. */
  sendHelp(page: string, status: number, request: IncomingMessage, response: CountedResponse): boolean {
    const { docs } = this.#parts;
    const isBrowser = request.method === "GET" && /\btext\/html\b/u.test(request.headers.accept ?? "");
    if (!isBrowser || docs?.has(page) !== true) return false;
    docs.send(page, request, response, status);
    return true;
  }

  #has(path: string): boolean {
    return ownPaths.has(path) || this.#parts.docs?.has(path) === true;
  }

  #get(path: string, request: IncomingMessage, response: CountedResponse): void {
    switch (path) {
      case "/openrpc.json":
        return sendDocument(this.#contractFor(request), request, response);
      case "/docs-config.json":
        return sendDocument(this.#config, request, response);
      case "/livez":
        return sendText(response, 200, jsonContentType, livenessBody);
      case "/readyz":
        return void this.sendReadiness(response, false);
      default:
        this.#parts.docs!.send(path, request, response);
    }
  }

  #contractFor(request: IncomingMessage): FixedDocument {
    const { discovery, publicKey, baseUrl } = this.#parts;
    const endpoint = `${baseUrl(request)}${callPath}${publicKey ?? keyPlace}`;
    const known = this.#contracts.get(endpoint);
    if (known !== undefined) return known;
    const made = fixDocument(Buffer.from(discovery.text(endpoint)), jsonContentType, ["Vary", "Host"]);
    const nowMs = performance.now();
    if (this.#contracts.size >= CONTRACTS_MAX) {
      // A caller who sends a new host name each time gets no compression, because it would cost more than all else.
      if (nowMs - this.#contractsSinceMs < CONTRACTS_KEPT_MS) return { ...made, isCompressible: false };
      this.#contracts.clear();
    }
    if (this.#contracts.size === 0) this.#contractsSinceMs = nowMs;
    this.#contracts.set(endpoint, made);
    return made;
  }

  /** @param isFull - with coverage, trees, search index and following: for callers with a key */
  async sendReadiness(response: CountedResponse, isFull: boolean): Promise<void> {
    const { isReady, body, fullBody } = await this.#parts.readiness.answer();
    if (response.destroyed) return response.record?.end(0, 0);
    const retryAfter = ["Retry-After", retryAfterSeconds];
    const refusal = isFull ? (response.client?.refusalOf(response, fullBody.length) ?? null) : null;
    if (refusal !== null) return sendRefusal(response, refusal, retryAfter);
    const more = isReady ? [] : retryAfter;
    sendText(response, isReady ? 200 : 503, jsonContentType, isFull ? fullBody : body, more);
  }
}

/** The pages that a browser gets for a path that does not exist, and for the address of calls. */
const missingPage = "/help/not-found.html";
export const callAddressPage = "/help/call-address.html";

const ownPaths: ReadonlySet<string> = new Set(["/openrpc.json", "/docs-config.json", "/livez", "/readyz"]);

/** Addresses for which the contract is kept. */
const CONTRACTS_MAX = 16;
/** Time for which a contract keeps its place while others wait for one. */
const CONTRACTS_KEPT_MS = 60_000;

/** Stands where a caller puts its key. */
const keyPlace = "<API_KEY>";
