import type { ContractDocument } from "@lamplight/contract";
import {
  type CallRequest,
  type ContractMethods,
  type FinishedJson,
  type JsonText,
  type MaybePromise,
  methodNotFound,
  readNullParams,
  type RoundObserver,
} from "@lamplight/core";
import { brokenInvariant, LamplightError } from "@lamplight/errors";
import { Router } from "./server-js.ts";

import type { RequestKind } from "../gate/gated-request.ts";
import type { LeveledLog, Log } from "../log/log.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import type { Discovery } from "./discovery.ts";
import { readsLogger } from "./log-reads.ts";
import type { RpcRequest } from "./read-calls.ts";
import type { ServedContract } from "./served-contract.ts";

const discoverMethod = "rpc.discover";

/** Whether the log prints what only `debug` asks for. */
const isDebugging = (log: Log): log is LeveledLog => (log as Partial<LeveledLog>).level === "debug";

/** What the router needs of a request beyond what a method does. */
interface RoutedRequest extends CallRequest {
  endpoint(): string;
  isDescribed: boolean;
}

const both =
  (first: RoundObserver, second: RoundObserver): RoundObserver =>
  (reads) => {
    const ends = [first(reads), second(reads)];
    return (answers) => ends.forEach((end) => end(answers));
  };

/**
 * The router of server-js with its call path replaced: generated checks instead of the stock validator, names from a
 * set instead of an object (so `constructor` is no method), results as finished text, typed errors.
 */
export class StrictRouter extends Router {
  /** The methods that it answers, `rpc.discover` not among them. */
  readonly methods: ContractMethods;
  readonly #contract: ServedContract;
  readonly #discovery: Discovery;
  readonly #log: Log;

  constructor(contract: ServedContract, discovery: Discovery, log: Log) {
    // Without methods the base compiles no validators of its own; it also writes into the mapping it is given.
    super({ ...contract.document, methods: [] }, {});
    this.methods = contract.methods;
    this.#contract = contract;
    this.#discovery = discovery;
    this.#log = log;
  }

  override isMethodImplemented(method: string): boolean {
    return method === discoverMethod || this.methods.has(method);
  }

  /** What the calls of a request will cost, as far as their methods show it. */
  kindOf(entries: readonly RpcRequest[]): RequestKind {
    if (!entries.some((entry) => entry.kind === "call" && this.methods.has(entry.method)))
      return "without reads";
    if (entries.length > 1) return "batch";
    const [entry] = entries;
    return entry?.kind === "call" && this.methods.isList(entry.method) ? "list" : "cheap";
  }

  /**
   * The finished JSON of `result`, at once where nothing has to be waited for.
   *
   * @throws LamplightError as the method does; `REQUEST__METHOD_NOT_FOUND` with what answers instead, or the nearest name
   */
  answer(method: string, params: unknown, request: RoutedRequest): MaybePromise<FinishedJson<unknown>> {
    if (method === discoverMethod) return this.#discover(params, request);
    if (!this.methods.has(method)) throw this.#unknownMethod(method);
    return this.methods.answer(method, params, request);
  }

  /** The base's own way in would skip every check above. */
  override call(): never {
    throw brokenInvariant("calls go through StrictRouter.answer");
  }

  /** Sees the reads of one call, where traces or the log ask for them. */
  roundObserver(method: string, record: RequestRecord | null): RoundObserver | null {
    const log = this.#log;
    const traced = record?.roundObserver() ?? null;
    const logged = isDebugging(log)
      ? readsLogger((fields, message) => log.debug(fields, message), method)
      : null;
    return traced === null || logged === null ? (traced ?? logged) : both(traced, logged);
  }

  #discover(received: unknown, request: RoutedRequest): JsonText<ContractDocument> {
    const params = received === null ? readNullParams(request.profile) : received;
    const got =
      params === undefined ? 0 : Array.isArray(params) ? params.length : Object.keys(params as object).length;
    if (got > 0)
      throw new LamplightError("PARAM__COUNT", { method: discoverMethod, fewest: 0, most: 0, got });
    if (request.isDescribed) {
      throw new LamplightError("QUERY__OVER_BUDGET", {
        reason: `a batch gets one answer to ${discoverMethod}`,
        cheaper: "use the first answer",
      });
    }
    request.isDescribed = true;
    return this.#discovery.text(request.endpoint());
  }

  #unknownMethod(method: string): LamplightError {
    const hint = this.#contract.findReplacement(method);
    if (hint !== undefined) return new LamplightError("REQUEST__METHOD_NOT_FOUND", { method, hint });
    return methodNotFound(method, [...this.methods.names, discoverMethod]);
  }
}
