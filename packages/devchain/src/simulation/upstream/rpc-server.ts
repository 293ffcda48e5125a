import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Consensus } from "@lamplight/core";
import { WebSocketServer } from "ws";
import { Random } from "../../random.ts";
import { type LedgerBlock, RpcLedger } from "./rpc-ledger.ts";
import { MethodError, RpcMethods } from "./rpc-methods.ts";
import { farText, Subscriptions } from "./rpc-subscriptions.ts";

/** Faults of the server, each in percent of the cases. */
export interface RpcFaults {
  /** HTTP 429, most with Retry-After. */
  readonly limited: number;
  readonly serverError: number;
  /** The connection is reset instead of an answer. */
  readonly reset: number;
  /** The answer ends in the middle. */
  readonly truncated: number;
  /** An answer comes after others that were asked for later. */
  readonly slow: number;
  /** A node answers that is some blocks behind; some of these do not know `minContextSlot`. */
  readonly stale: number;
  /** A scan lacks some of its accounts and does not say so. */
  readonly incomplete: number;
  /** Notifications that never come, that come twice, that come a block late. */
  readonly missing: number;
  readonly repeated: number;
  readonly late: number;
  /** Blocks of which no account is notified, because the node has dropped their bank by then. */
  readonly skipped: number;
  /** Every WebSocket is cut, per block. */
  readonly cut: number;
  /** Answers and notifications of a slot that no chain reaches in years. */
  readonly far: number;
}

export const noFaults: RpcFaults = {
  limited: 0,
  serverError: 0,
  reset: 0,
  truncated: 0,
  slow: 0,
  stale: 0,
  incomplete: 0,
  missing: 0,
  repeated: 0,
  late: 0,
  skipped: 0,
  cut: 0,
  far: 0,
};

export interface SimulatedRpcOptions {
  readonly ledger: RpcLedger;
  readonly seed: number;
  /** Part of the path, as providers put keys there; others are refused. Default none. */
  readonly key?: string;
}

const STREAM = 500;
const STALE_BLOCKS_MAX = 4;
const SLOW_MS_MAX = 30;
/** A Retry-After in whole seconds would slow the chaos tests: a date in the past asks for none. */
const retryAfterPast = "Thu, 01 Jan 1970 00:00:00 GMT";

/** An ordinary RPC node on loopback, JSON-RPC over HTTP and WebSocket, that reports a ledger: the real protocols. */
export class SimulatedRpc {
  faults: RpcFaults = noFaults;
  /** Number of blocks by which the node that answers calls lags the one that reports over WebSockets, as in a pool. */
  lagBlocks = 0;
  /** The answer of `getAgGenesisCert` about the cluster; null = the method is not found. */
  consensus: Consensus | null = null;
  /** Whether WebSockets are taken at all. */
  hasSocket = true;
  /** Methods that are switched off. */
  readonly missingMethods = new Set<string>();
  /** Methods that are refused, with an HTTP status or, below zero, the code of an error. */
  readonly refusals = new Map<string, number>();
  /** Programs (base58 text) whose accounts are not listed. */
  readonly unlistedPrograms = new Set<string>();
  /** Methods that are never answered. */
  readonly silentMethods = new Set<string>();
  /** Answers that are sent instead, by method, one after the other: an HTTP status, or the text of a result. */
  readonly odd = new Map<string, (number | string)[]>();
  /** Signatures of transactions that it lists and does not have. */
  readonly lost = new Set<string>();
  /** Calls answered so far, by method. */
  readonly calls = new Map<string, number>();
  readonly ledger: RpcLedger;
  readonly #random: Random;
  readonly #methods: RpcMethods;
  readonly #subscriptions: Subscriptions;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #key: string | null;
  #port = 0;

  constructor({ ledger, seed, key }: SimulatedRpcOptions) {
    this.ledger = ledger;
    this.#random = new Random(seed, STREAM, 0);
    this.#methods = new RpcMethods(ledger);
    this.#subscriptions = new Subscriptions(this.#random);
    this.#key = key ?? null;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.on("upgrade", (request, socket, head) => {
      socket.on("error", () => {});
      if (!this.hasSocket || !this.#isAllowed(request)) {
        socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#subscriptions.serve(client));
    });
  }

  /** Starts on a free port, or again on the one it had. @returns `127.0.0.1:PORT`, with the key as path */
  async start(): Promise<string> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return `127.0.0.1:${this.#port}${this.#key === null ? "" : `/${this.#key}`}`;
  }

  get listeners(): number {
    return this.#subscriptions.clients;
  }

  /** Subscriptions of all clients together. */
  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /** Reports the blocks that became confirmed, and the root. */
  emit(blocks: readonly LedgerBlock[]): void {
    for (const block of blocks) {
      this.#subscriptions.emitBlock(block, this.ledger.final.slot, this.faults);
      if (this.#random.percent(this.faults.cut)) this.cutOff();
    }
    this.#subscriptions.emitRoot(this.ledger.final.slot, this.faults);
  }

  cutOff(): void {
    this.#subscriptions.cutOff();
  }

  async stop(): Promise<void> {
    this.cutOff();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #isAllowed({ url }: IncomingMessage): boolean {
    return this.#key === null || url === `/${this.#key}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    if (!this.#isAllowed(request)) {
      response.writeHead(401).end(`no such key: ${request.url}`);
      return;
    }
    const answer = this.#answer(body);
    if (answer === null) return;
    const { faults } = this;
    if (typeof answer === "number") {
      response.writeHead(answer).end("no");
      return;
    }
    if (this.#random.percent(faults.slow)) {
      const ms = this.#random.below(SLOW_MS_MAX);
      setTimeout(() => this.#send(answer, request, response), ms);
    } else this.#send(answer, request, response);
  }

  #send(answer: string, request: IncomingMessage, response: ServerResponse): void {
    const { faults } = this;
    const random = this.#random;
    if (random.percent(faults.reset)) request.socket.destroy();
    else if (random.percent(faults.limited)) {
      response.writeHead(429, random.percent(70) ? { "retry-after": retryAfterPast } : {}).end("slow down");
    } else if (random.percent(faults.serverError))
      response.writeHead(random.percent(50) ? 502 : 500).end("oops");
    else if (random.percent(faults.truncated)) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(answer.slice(0, random.below(answer.length)));
    } else {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(answer) };
      response.writeHead(200, headers).end(answer);
    }
  }

  /** A status, the text of an answer, or none. */
  #answer(body: string): string | number | null {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    if (this.silentMethods.has(method)) return null;
    const odd = this.odd.get(method)?.shift();
    if (typeof odd === "number") return odd;
    const refusal = this.refusals.get(method) ?? 0;
    if (refusal > 0) return refusal;
    try {
      if (refusal < 0) throw new MethodError(refusal, "excluded from account secondary indexes");
      if (odd !== undefined) return `{"jsonrpc":"2.0","result":${odd},"id":${id}}`;
      if (this.missingMethods.has(method)) throw new MethodError(-32601, "Method not found");
      if (method === "getProgramAccounts" && this.unlistedPrograms.has(params[0] as string))
        throw new MethodError(-32010, "excluded from account secondary indexes");
      if (method === "getTransaction" && this.lost.has(params[0] as string)) {
        return `{"jsonrpc":"2.0","result":null,"id":${id}}`;
      }
      const isStale = this.#random.percent(this.faults.stale);
      const behind = this.lagBlocks + (isStale ? this.#random.between(1, STALE_BLOCKS_MAX) : 0);
      const asked = isStale && this.#random.percent(50) ? withoutMinSlot(params) : params;
      const isWhole = !this.#random.percent(this.faults.incomplete);
      const reported = this.#methods.answer(method, asked, { behind, isWhole, consensus: this.consensus });
      const result = this.#random.percent(this.faults.far) ? farText(reported) : reported;
      return `{"jsonrpc":"2.0","result":${result},"id":${id}}`;
    } catch (error) {
      if (!(error instanceof MethodError)) throw error;
      const { code, message } = error;
      return JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id });
    }
  }
}

/** Removes `minContextSlot`, as a node does that does not know the member. */
const withoutMinSlot = (params: readonly unknown[]): unknown[] =>
  params.map((param) => {
    if (typeof param !== "object" || param === null || Array.isArray(param)) return param;
    const { minContextSlot: _, ...rest } = param as Record<string, unknown>;
    return rest;
  });
