import type { IncomingMessage, ServerResponse } from "node:http";

import type { ContractDocument } from "@lamplight/contract";
import type { Readable } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Log } from "../log/log.ts";
import { discoverText } from "../rpc/discovery.ts";
import { jsonContentType, preflightHeaders } from "./headers.ts";
import { type LiveStatus, livenessBody, readReadiness, type SearchReport } from "./probes.ts";
import { sendEmpty, sendRefusal, sendText } from "./reply.ts";
import { callPath } from "./request-head.ts";
import type { StaticSite } from "./static-site.ts";

export interface SiteParts {
  readonly readable: Readable;
  readonly document: ContractDocument;
  /** The one key that may be shown to anybody; null when there is none. */
  readonly publicKey: string | null;
  /** Scheme, host and port under which this request reached us. */
  readonly baseUrl: (request: IncomingMessage) => string;
  /** Null when the documentation is not installed. */
  readonly docs: StaticSite | null;
  readonly isDraining: () => boolean;
  /** Null where this process follows no chain. */
  readonly liveStatus: (() => LiveStatus) | null;
  /** Null where no search index is kept in memory. */
  readonly searchStatus: (() => SearchReport | null) | null;
  readonly log: Log;
}

const RETRY_AFTER_SECONDS = "1";

/** Everything that is no call: preflights, the contract, probes, documentation. */
export class Site {
  readonly #parts: SiteParts;

  constructor(parts: SiteParts) {
    this.#parts = parts;
  }

  /** Answers, or tells why not; a body that comes along is left to Node to drop. */
  answer(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (this.#parts.isDraining()) response.shouldKeepAlive = false;
    const { method = "" } = request;
    if (method === "OPTIONS") return sendEmpty(response, 204, preflightHeaders);
    if (!this.#has(path)) return sendRefusal(response, new LamplightError("REQUEST__NOT_FOUND", {}));
    if (method !== "GET" && method !== "HEAD") {
      const error = new LamplightError("REQUEST__HTTP_METHOD", { answered: "GET" });
      return sendRefusal(response, error, ["Allow", "GET, HEAD, OPTIONS"]);
    }
    this.#get(path, request, response);
  }

  #has(path: string): boolean {
    return ownPaths.has(path) || this.#parts.docs?.has(path) === true;
  }

  #get(path: string, request: IncomingMessage, response: ServerResponse): void {
    const { document, publicKey, baseUrl, docs } = this.#parts;
    switch (path) {
      case "/openrpc.json": {
        const endpoint = `${baseUrl(request)}${callPath}${publicKey ?? KEY_PLACE}`;
        return sendText(response, 200, jsonContentType, discoverText(document, endpoint));
      }
      case "/docs-config.json":
        return sendText(response, 200, jsonContentType, JSON.stringify({ publicKey }));
      case "/livez":
        return sendText(response, 200, jsonContentType, livenessBody);
      case "/readyz":
        void this.#sendReadiness(response);
        return;
      default:
        docs!.send(path, request, response);
    }
  }

  async #sendReadiness(response: ServerResponse): Promise<void> {
    const { readable, isDraining, liveStatus, searchStatus, log } = this.#parts;
    const reports = { live: liveStatus?.() ?? null, search: searchStatus?.() ?? null };
    const { isReady, body } = await readReadiness(readable, isDraining(), log, reports);
    if (response.destroyed) return;
    const more = ["Cache-Control", "no-store", ...(isReady ? [] : ["Retry-After", RETRY_AFTER_SECONDS])];
    sendText(response, isReady ? 200 : 503, jsonContentType, body, more);
  }
}

const ownPaths: ReadonlySet<string> = new Set(["/openrpc.json", "/docs-config.json", "/livez", "/readyz"]);

/** Stands where a caller puts its key. */
const KEY_PLACE = "<API_KEY>";
