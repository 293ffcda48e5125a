import { setTimeout as sleep } from "node:timers/promises";
import type { RpcEndpoint } from "./endpoint.ts";
import {
  answerBytesMax,
  ATTEMPTS_MAX,
  CALL_MS_MAX,
  CONCURRENT_CALLS_MAX,
  REASON_CHARACTERS_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_MS_FIRST,
  RETRY_MS_MAX,
  WAITING_CALLS_MAX,
} from "./limits.ts";
import { JsonPoster } from "./post-json.ts";
import { isPassing, isRpcFault, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly bytesMax?: number;
  /** Called as the answer comes; null = its length is not reported. */
  readonly onBytes?: (bytes: number, total: number | null) => void;
  readonly attemptsMax?: number;
  /** Ends this call before the client's own end. */
  readonly signal?: AbortSignal;
  /** Parses the body; by default in one step. */
  readonly parse?: (text: string, signal: AbortSignal) => unknown;
  /** Reads the result. If it throws, the call is repeated. */
  readonly check?: (result: unknown) => unknown;
}

export interface RpcClientState {
  readonly calls: number;
  readonly retries: number;
  readonly running: number;
  readonly waiting: number;
  readonly lastAnswerMs: number | null;
  /** Whether any JSON-RPC answer was received, errors included. */
  readonly hasAnswered: boolean;
}

/** JSON-RPC over HTTP to one node: bounds concurrent calls, retries, and obeys the node's rate limits. */
export class RpcClient {
  readonly #endpoint: RpcEndpoint;
  readonly #poster: JsonPoster;
  readonly #signal: AbortSignal;
  readonly #retryMs: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;
  #calls = 0;
  #retries = 0;
  #nextId = 1;
  #lastAnswerMs: number | null = null;
  #hasAnswered = false;
  /** A rate limit of the node applies to all calls. */
  #pausedUntilMs = 0;

  constructor(endpoint: RpcEndpoint, signal: AbortSignal, retryMs = RETRY_MS_FIRST) {
    this.#endpoint = endpoint;
    this.#poster = new JsonPoster(endpoint);
    this.#signal = signal;
    this.#retryMs = retryMs;
  }

  get state(): RpcClientState {
    return {
      calls: this.#calls,
      retries: this.#retries,
      running: this.#running,
      waiting: this.#queue.length,
      lastAnswerMs: this.#lastAnswerMs,
      hasAnswered: this.#hasAnswered,
    };
  }

  /**
   * @returns the `result`; lamports and rent epochs beyond 2^53 as decimal text
   * @throws RpcRefusal an error that the node answers, RpcForbidden, RpcTrouble after the last attempt
   */
  async call(method: string, params: readonly unknown[], options: CallOptions = {}): Promise<unknown> {
    const tries = options.attemptsMax ?? ATTEMPTS_MAX;
    const signal =
      options.signal === undefined ? this.#signal : AbortSignal.any([this.#signal, options.signal]);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await this.#inTurn(() => this.#send(method, params, { ...options, signal }), signal);
        return options.check === undefined ? result : checked(method, result, options.check);
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble === null || attempt >= tries || signal.aborted) throw error;
        this.#retries += 1;
        await this.#pause(trouble, attempt, signal);
      }
    }
  }

  close(): void {
    this.#poster.close();
  }

  async #pause({ retryAfterMs }: RpcTrouble, attempt: number, signal: AbortSignal): Promise<void> {
    const backoff = Math.min(this.#retryMs * 2 ** (attempt - 1), RETRY_MS_MAX) * (0.5 + Math.random() / 2);
    const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
    if (asked > 0) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, performance.now() + asked);
    await pause(Math.max(backoff, asked), signal);
  }

  async #inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (this.#running >= CONCURRENT_CALLS_MAX) {
      if (this.#queue.length >= WAITING_CALLS_MAX) throw new RpcTrouble("too many calls wait for their turn");
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    } else this.#running += 1;
    try {
      if (this.#pausedUntilMs > performance.now())
        await pause(this.#pausedUntilMs - performance.now(), signal);
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #send(
    method: string,
    params: readonly unknown[],
    options: CallOptions & { readonly signal: AbortSignal },
  ): Promise<unknown> {
    this.#calls += 1;
    const id = this.#nextId++;
    const text = await this.#poster.post(JSON.stringify({ jsonrpc: "2.0", id, method, params }), {
      timeoutMs: options.timeoutMs ?? CALL_MS_MAX,
      bytesMax: options.bytesMax ?? answerBytesMax(),
      onBytes: options.onBytes,
      signal: options.signal,
    });
    const parse = options.parse ?? parseAnswer;
    const answer = await parseWith((body) => parse(body, options.signal), text);
    if (answer.error !== undefined || answer.result !== undefined) this.#hasAnswered = true;
    if (answer.error !== undefined && answer.error !== null) throw this.#refusal(answer.error);
    if (answer.result === undefined) throw new RpcTrouble(`${method} was answered without a result`);
    this.#lastAnswerMs = performance.now();
    return answer.result;
  }

  #refusal(error: unknown): RpcRefusal {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const said = this.#endpoint.redact(String(message)).replaceAll(/\s+/gu, " ");
    return new RpcRefusal(Number(code), said.slice(0, REASON_CHARACTERS_MAX));
  }
}

/** Ends early when no retry is left to wait for. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

const parseWith = async (
  parse: (text: string) => unknown,
  text: string,
): Promise<{ readonly result?: unknown; readonly error?: unknown }> => {
  try {
    const answer = await parse(text);
    if (typeof answer === "object" && answer !== null) return answer;
  } catch (cause) {
    throw new RpcTrouble("an answer was cut off, or is not JSON", { cause });
  }
  throw new RpcTrouble("an answer is no JSON-RPC");
};

const checked = (method: string, result: unknown, check: (result: unknown) => unknown): unknown => {
  try {
    return check(result);
  } catch (cause) {
    if (isRpcFault(cause)) throw cause;
    throw new RpcTrouble(`${method} was answered with what cannot be read`, { cause });
  }
};

const troubleOf = (error: unknown): RpcTrouble | null => {
  if (error instanceof RpcTrouble) return error;
  return error instanceof RpcRefusal && isPassing(error.code) ? new RpcTrouble(error.message) : null;
};

/**
 * `JSON.parse` of a node's answer that keeps all digits of lamports and rent epochs: those beyond 2^53 become decimal
 * text. No string of an account can contain such a member, because base64 and base58 have no quotes.
 */
export const parseAnswer = (text: string): unknown =>
  JSON.parse(text.replaceAll(/"(lamports|rentEpoch)":(\d{16,20})/gu, '"$1":"$2"')) as unknown;
