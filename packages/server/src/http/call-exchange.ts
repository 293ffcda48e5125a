import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzip } from "node:zlib";

import { LamplightError } from "@lamplight/errors";

import { DISCARDED_BYTES_MAX, type Limits } from "../limits.ts";
import { toCallerError } from "../rpc/caller-error.ts";
import { Conversation, type ConversationParts, type Reply } from "../rpc/conversation.ts";
import { readCalls } from "../rpc/read-calls.ts";
import { errorReply } from "../rpc/reply-text.ts";
import type { RequestContext } from "../rpc/request-context.ts";
import { type Deadlines, NOT_WATCHED, type Watched } from "./deadlines.ts";
import { viewHeaders } from "./view-headers.ts";
import { sendEmpty, sendJson, sendRefusal, sendText, toStatusText } from "./reply.ts";
import { corsHeaders, jsonContentType } from "./headers.ts";
import { encodingOf } from "./request-head.ts";

export interface ExchangeParts extends ConversationParts {
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  /** True once the server is stopping: replies then close their connection. */
  readonly isDraining: () => boolean;
}

type Phase = "reading" | "answering" | "discarding" | "over";

/** One POST of calls: reads the body, has it answered, replies. */
export class CallExchange implements Watched {
  deadlineTick = NOT_WATCHED;
  earlier: Watched | null = null;
  later: Watched | null = null;
  readonly #parts: ExchangeParts;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #openContext: () => RequestContext;
  #phase: Phase = "reading";
  #chunks: Buffer[] = [];
  #bytes = 0;
  #conversation: Conversation | null = null;
  #context: RequestContext | null = null;

  constructor(
    parts: ExchangeParts,
    request: IncomingMessage,
    response: ServerResponse,
    openContext: () => RequestContext,
  ) {
    this.#parts = parts;
    this.#request = request;
    this.#response = response;
    this.#openContext = openContext;
    parts.deadlines.watch(this, parts.limits.bodyTimeoutMs);
    request.on("data", (chunk: Buffer) => this.#onData(chunk));
    request.on("end", () => this.#onEnd());
  }

  /** Answers at once and reads the rest of the body into nothing, so that a caller still sending gets to read it. */
  refuse(error: LamplightError, more: readonly string[] = []): void {
    if (this.#phase !== "reading") return;
    this.#phase = "discarding";
    this.#chunks = [];
    this.#closeWhenDraining();
    sendRefusal(this.#response, error, more);
  }

  onTick(): void {
    // A refusal is sent, and its response therefore over, long before the body is.
    const gone = this.#phase === "discarding" ? this.#request : this.#response;
    if (gone.destroyed || gone.socket?.destroyed === true) this.#leave();
  }

  onDeadline(): void {
    const { bodyTimeoutMs } = this.#parts.limits;
    switch (this.#phase) {
      case "reading":
        this.#phase = "over";
        this.#response.shouldKeepAlive = false;
        return sendRefusal(
          this.#response,
          new LamplightError("REQUEST__BODY_TIMEOUT", { timeoutMs: bodyTimeoutMs }),
        );
      case "discarding":
        this.#request.destroy();
        return;
      case "answering":
        // Without a conversation the body is still being decompressed, which ends by itself.
        return this.#conversation?.giveUp();
      case "over":
    }
  }

  #onData(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#phase === "discarding") {
      if (this.#bytes > DISCARDED_BYTES_MAX) this.#request.destroy();
      return;
    }
    if (this.#phase !== "reading") return;
    if (this.#bytes <= this.#parts.limits.bodyBytes) this.#chunks.push(chunk);
    else this.refuse(this.#bodyTooLarge());
  }

  #onEnd(): void {
    const { deadlines, limits } = this.#parts;
    if (this.#phase !== "reading") return deadlines.release(this);
    this.#phase = "answering";
    deadlines.watch(this, limits.callTimeoutMs);
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    if (encodingOf(this.#request) === "identity") return this.#answer(body);
    gunzip(body, { maxOutputLength: limits.bodyBytes }, (error, plain) => this.#onUnzipped(error, plain));
  }

  #onUnzipped(error: (Error & { code?: string }) | null, plain: Buffer): void {
    if (this.#phase !== "answering") return;
    if (error === null) return this.#answer(plain);
    this.#close();
    if (error.code === "ERR_BUFFER_TOO_LARGE") sendRefusal(this.#response, this.#bodyTooLarge());
    else this.#sendFault(new LamplightError("REQUEST__PARSE", {}, { cause: error }), null);
  }

  #answer(body: Buffer): void {
    const calls = readCalls(body, this.#parts.limits.batchCalls);
    if ("error" in calls) {
      this.#close();
      return this.#sendFault(calls.error, calls.method);
    }
    this.#context = this.#openContext();
    this.#conversation = new Conversation(this.#parts, this.#context, calls.entries, calls.isBatch, (reply) =>
      this.#onReply(reply),
    );
    this.#conversation.run();
  }

  #onReply(reply: Reply): void {
    if (this.#phase !== "answering") return;
    this.#close();
    if (reply.body === null) return sendEmpty(this.#response, 204, corsHeaders);
    if (reply.refusal === null)
      return sendJson(this.#response, 200, reply.body, viewHeaders(this.#context!.views));
    const { message, retryAfterSeconds } = reply.refusal;
    const retryAfter = retryAfterSeconds === null ? [] : ["Retry-After", String(retryAfterSeconds)];
    sendText(this.#response, reply.status, jsonContentType, reply.body, retryAfter, toStatusText(message));
  }

  /** A fault of the whole body: told on HTTP 200, like the error of a call. */
  #sendFault(error: LamplightError, method: string | null): void {
    sendJson(this.#response, 200, errorReply("null", toCallerError(error, method, this.#parts.log)));
  }

  #bodyTooLarge(): LamplightError {
    return new LamplightError("REQUEST__BODY_TOO_LARGE", { limitBytes: this.#parts.limits.bodyBytes });
  }

  #close(): void {
    this.#phase = "over";
    this.#parts.deadlines.release(this);
    this.#closeWhenDraining();
  }

  #leave(): void {
    this.#phase = "over";
    this.#parts.deadlines.release(this);
    this.#conversation?.abandon();
  }

  #closeWhenDraining(): void {
    if (this.#parts.isDraining()) this.#response.shouldKeepAlive = false;
  }
}
