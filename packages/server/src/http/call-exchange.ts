import type { IncomingMessage } from "node:http";
import { gunzip } from "node:zlib";

import { JsonBytes } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { ServerEvents } from "../log/server-events.ts";
import { DISCARDED_BYTES_MAX, type Limits } from "../limits.ts";
import { toCallerError } from "../rpc/caller-error.ts";
import { type CallQueue, isCheap } from "../rpc/call-queue.ts";
import { CallBatch, type CallBatchParts, type Reply } from "../rpc/call-batch.ts";
import { readCalls } from "../rpc/read-calls.ts";
import { errorReply, type ReplyBody } from "../rpc/reply-text.ts";
import type { RequestContext } from "../rpc/request-context.ts";
import type { AnswerCompression, Coding } from "./compression.ts";
import type { CountedResponse } from "./counted-response.ts";
import { type Deadlines, NOT_WATCHED, type Watched } from "./deadlines.ts";
import type { Owed } from "../owed.ts";
import type { Holder } from "../shared-bound.ts";
import { viewHeaders } from "./view-headers.ts";
import {
  charsOf,
  type Piece,
  sendBytes,
  sendEmpty,
  sendJson,
  sendJsonBytes,
  sendLargeJson,
  sendRefusal,
  sendText,
  toStatusText,
} from "./reply.ts";
import { answerHeaders, jsonContentType } from "./headers.ts";
import { encodingOf } from "./request-head.ts";

export interface ExchangeParts extends CallBatchParts {
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly owed: Owed;
  readonly events: ServerEvents;
  readonly queue: CallQueue;
  readonly compression: AnswerCompression;
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
  readonly #response: CountedResponse;
  readonly #holder: Holder;
  readonly #openContext: (() => RequestContext) | null;
  #phase: Phase = "reading";
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes of the body that `owed.bodyBytes` counts. */
  #countedBytes = 0;
  #callBatch: CallBatch | null = null;
  #context: RequestContext | null = null;

  constructor(
    parts: ExchangeParts,
    response: CountedResponse,
    holder: Holder,
    openContext: (() => RequestContext) | null,
  ) {
    this.#parts = parts;
    this.#holder = holder;
    const { req: request } = response;
    this.#request = request;
    this.#response = response;
    this.#openContext = openContext;
    parts.deadlines.watch(this, parts.limits.bodyTimeoutMs);
    request.on("data", (chunk: Buffer) => this.#onData(chunk));
    request.on("end", () => this.#onEnd());
  }

  /** Answers at once and discards the rest of the body, so that a caller that is still sending can read the answer. */
  refuse(error: LamplightError, more: readonly string[] = []): void {
    if (this.#phase !== "reading") return;
    this.#phase = "discarding";
    this.#releaseBody();
    this.#closeWhenDraining();
    sendRefusal(this.#response, error, more);
  }

  /** Refuses a call while callers have too many answers to read. */
  refuseBusy(): void {
    this.refuse(this.#overOwed(), RETRY_AFTER);
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
        this.#releaseBody();
        this.#response.shouldKeepAlive = false;
        return sendRefusal(
          this.#response,
          new LamplightError("REQUEST__BODY_TIMEOUT", { timeoutMs: bodyTimeoutMs }),
        );
      case "discarding":
        this.#request.destroy();
        return;
      case "answering":
        // Without a callBatch the body is still being decompressed, which ends by itself.
        return this.#callBatch?.giveUp();
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
    if (this.#bytes > this.#parts.limits.bodyBytes) return this.refuse(this.#bodyTooLarge());
    if (this.#countBody(chunk)) this.#chunks.push(chunk);
    else this.refuse(this.#overBodies(), RETRY_AFTER);
  }

  #onEnd(): void {
    const { deadlines, limits } = this.#parts;
    if (this.#phase !== "reading") return deadlines.release(this);
    this.#phase = "answering";
    deadlines.watch(this, limits.callTimeoutMs);
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [];
    if (encodingOf(this.#request) === "identity") return this.#answer(body);
    gunzip(body, { maxOutputLength: limits.bodyBytes }, (error, plain) => this.#onUnzipped(error, plain));
  }

  #onUnzipped(error: (Error & { code?: string }) | null, plain: Buffer): void {
    if (this.#phase !== "answering") return;
    if (error === null && this.#countBody(plain)) return this.#answer(plain);
    this.#close();
    if (error === null) sendRefusal(this.#response, this.#overBodies(), RETRY_AFTER);
    else if (error.code === "ERR_BUFFER_TOO_LARGE") sendRefusal(this.#response, this.#bodyTooLarge());
    else this.#sendFault(new LamplightError("REQUEST__PARSE", {}, { cause: error }), null);
  }

  #answer(body: Buffer): void {
    const calls = readCalls(body, this.#parts.limits.batchCalls);
    if ("error" in calls) {
      this.#close();
      return this.#sendFault(calls.error, calls.method);
    }
    this.#context = this.#openContext!();
    this.#context.isBatch = calls.entries.length > 1;
    this.#callBatch = new CallBatch(this.#parts, this.#context, calls.entries, calls.isBatch, (reply) =>
      this.#onReply(reply),
    );
    this.#parts.queue.enter(this.#holder, this.#callBatch, isCheap(calls.entries));
  }

  #onReply(reply: Reply): void {
    if (this.#phase !== "answering") return;
    this.#close();
    if (reply.body === null) return sendEmpty(this.#response, 204, answerHeaders);
    const { body } = reply;
    const { owed } = this.#parts;
    const isLarge = typeof body !== "string" && !(body instanceof JsonBytes);
    if (!owed.bytes.hasRoomForBytes(this.#holder, isLarge ? charsOf(body) : body.length))
      return sendRefusal(this.#response, this.#overOwed(), RETRY_AFTER);
    if (isLarge) return this.#sendLarge(body);
    if (reply.refusal === null || typeof body !== "string") return this.#sendAnswer(body);
    const { message, retryAfterSeconds } = reply.refusal;
    const retryAfter = retryAfterSeconds === null ? [] : ["Retry-After", String(retryAfterSeconds)];
    sendText(this.#response, reply.status, jsonContentType, body, retryAfter, toStatusText(message));
  }

  #sendAnswer(body: ReplyBody): void {
    const { compression } = this.#parts;
    const headers = viewHeaders(this.#context!.views);
    const coding = compression.codingFor(body.length, this.#request.headers["accept-encoding"]);
    const isText = typeof body === "string";
    if (coding !== null)
      void this.#sendCompressed(isText ? Buffer.from(body) : body.toBuffer(), coding, headers);
    else if (isText) sendJson(this.#response, 200, body, headers);
    else sendJsonBytes(this.#response, body, headers);
  }

  async #sendCompressed(body: Buffer, coding: Coding, headers: readonly string[]): Promise<void> {
    const { compression, owed } = this.#parts;
    // The text waits here until it is compressed.
    owed.bytes.add(this.#holder, body.length);
    const compressed = await compression.compress(body, coding).catch(() => null);
    owed.bytes.remove(this.#holder, body.length);
    if (this.#response.destroyed) return;
    sendBytes(this.#response, compressed ?? body, compressed === null ? null : coding, headers);
  }

  #sendLarge(body: readonly Piece[]): void {
    const { owed, log } = this.#parts;
    sendLargeJson(this.#response, body, owed, this.#holder, viewHeaders(this.#context!.views)).catch(
      (error: unknown) => {
        log.error({ err: error }, "an answer could not be sent");
        this.#response.destroy();
      },
    );
  }

  /** A fault of the whole body: reported on HTTP 200, like the error of a call. */
  #sendFault(error: LamplightError, method: string | null): void {
    sendJson(this.#response, 200, errorReply("null", toCallerError(error, method, this.#parts.log)));
  }

  #overOwed(): LamplightError {
    const { owed, events } = this.#parts;
    events.note("overOwed", { owedBytes: owed.bytes.held });
    return new LamplightError("SERVER__BUSY", { reason: "too many answers have not been read" });
  }

  /** Counts a part of the body with those of all requests, also while its calls wait; false where there is no room. */
  #countBody({ length }: Buffer): boolean {
    const { bodyBytes } = this.#parts.owed;
    const bytes = this.#countedBytes + length;
    const hasRoom = bodyBytes.hasRoomForBytes(this.#holder, length, this.#countedBytes);
    if (!hasRoom && bytes > SMALL_BODY_BYTES) return false;
    bodyBytes.add(this.#holder, length);
    this.#countedBytes = bytes;
    return true;
  }

  #releaseBody(): void {
    if (this.#chunks.length > 0) this.#chunks = [];
    this.#parts.owed.bodyBytes.remove(this.#holder, this.#countedBytes);
    this.#countedBytes = 0;
  }

  #overBodies(): LamplightError {
    const { owed, events } = this.#parts;
    events.note("overBodies", { bodyBytes: owed.bodyBytes.held });
    return new LamplightError("SERVER__BUSY", { reason: "too many request bodies are being received" });
  }

  #bodyTooLarge(): LamplightError {
    return new LamplightError("REQUEST__BODY_TOO_LARGE", { limitBytes: this.#parts.limits.bodyBytes });
  }

  #close(): void {
    this.#phase = "over";
    this.#releaseBody();
    this.#parts.deadlines.release(this);
    this.#closeWhenDraining();
  }

  #leave(): void {
    this.#phase = "over";
    this.#releaseBody();
    this.#parts.deadlines.release(this);
    this.#callBatch?.abandon();
  }

  #closeWhenDraining(): void {
    if (this.#parts.isDraining()) this.#response.shouldKeepAlive = false;
  }
}

const RETRY_AFTER = ["Retry-After", "1"];

/** Taken over the bound of all bodies, so that large bodies that never end keep no ordinary call out. */
const SMALL_BODY_BYTES = 4096;
