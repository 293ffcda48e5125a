import { startDeadline } from "../call/deadline.ts";
import type { Answer } from "../call/answer.ts";
import type { BatchReply, CallLimits, Transport, WireCall } from "../call/transport.ts";
import type { RpcError } from "../errors/rpc-error.ts";
import { stringifyExact } from "../json/stringify-exact.ts";
import { readBatch, readResult } from "./read-reply.ts";
import { type HttpReply, HttpSender, type HttpSenderOptions } from "./http-sender.ts";

/** A server takes as many calls in one batch by default. */
const BATCH_CALLS_MAX = 100;

/** Calls as JSON-RPC 2.0 over HTTP POST. */
export class HttpTransport implements Transport {
  readonly #sender: HttpSender;
  #lastId = 0;
  /** Calls in one request; lowered when the server refuses so many. */
  #batchCallsMax = BATCH_CALLS_MAX;

  constructor(options: HttpSenderOptions) {
    this.#sender = new HttpSender(options);
  }

  /** @throws RpcError, HttpError, NetworkError, the signal's reason */
  async call(call: WireCall, limits: CallLimits): Promise<Answer<unknown>> {
    const deadline = startDeadline(limits);
    try {
      const id = this.#nextId();
      const reply = await this.#sender.post(requestText(id, call), [call.method], deadline.signal);
      return { ...stateOf(reply), result: readResult(reply, id) };
    } finally {
      deadline.end();
    }
  }

  /** In parts, one after another, where there are more calls than the server allows. */
  async batch(calls: readonly WireCall[], limits: CallLimits): Promise<BatchReply> {
    const parts: BatchReply[] = [];
    const deadline = startDeadline(limits);
    try {
      for (let from = 0; from < calls.length; from = lengthOf(parts)) {
        const part = calls.slice(from, from + this.#batchCallsMax);
        try {
          parts.push(await this.#batchPart(part, deadline.signal));
        } catch (error) {
          const { kind, data } = error as RpcError;
          const { limit } = (kind === "BatchTooLarge" && data ? data : {}) as { limit?: number };
          if (!limit || limit >= part.length) throw error;
          this.#batchCallsMax = limit;
        }
      }
    } finally {
      deadline.end();
    }
    return joinParts(parts);
  }

  async #batchPart(calls: readonly WireCall[], signal: AbortSignal): Promise<BatchReply> {
    const ids = calls.map(() => this.#nextId());
    const methods = calls.map(({ method }) => method);
    const requests = calls.map((call, index) => requestText(ids[index]!, call));
    const reply = await this.#sender.post(`[${requests.join(",")}]`, methods, signal);
    return { ...stateOf(reply), answers: readBatch(reply, ids, methods) };
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

const requestText = (id: number, { method, params }: WireCall): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${stringifyExact(params)}}`;

/** The headers report these facts about the state that was read. */
const stateOf = ({ headers }: HttpReply): Omit<Answer<unknown>, "result"> => ({
  slot: slotIn(headers.get("x-slot")),
  updatedSlot: slotIn(headers.get("x-updated-slot")),
  // Addresses; `+N` counts those that are not named.
  incompleteTrees: headers.get("x-incomplete-trees")?.match(/\w{32,}/g) ?? [],
});

const slotIn = (text: string | null): number | null => (text === null ? null : Number(text));

const lengthOf = (parts: readonly BatchReply[]): number =>
  parts.reduce((sum, { answers }) => sum + answers.length, 0);

const joinParts = (parts: readonly BatchReply[]): BatchReply => {
  const slot = parts[0]?.slot ?? null;
  return {
    answers: parts.flatMap(({ answers }) => answers),
    slot: parts.every((part) => part.slot === slot) ? slot : null,
    updatedSlot: null,
    incompleteTrees: [...new Set(parts.flatMap(({ incompleteTrees }) => incompleteTrees))],
  };
};
