import type { IncomingMessage } from "node:http";
import { gunzip } from "node:zlib";

import { JsonBytes } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Gate } from "../gate/gate.ts";
import type { KeyAccount } from "../gate/key-account.ts";
import type { KeyCharge, KeyMeter } from "../gate/key-meter.ts";
import { errorReply, type Reply, type ReplyBody } from "../rpc/envelope.ts";
import type { ServerEvents } from "../log/server-events.ts";
import type { ProfileSetting } from "../profile.ts";
import { DISCARDED_BYTES_MAX, type Limits } from "../limits.ts";
import { retryAfterSeconds, toCallerError } from "../rpc/caller-error.ts";
import { AnsweredRequest, type AnswerParts } from "../rpc/answered-request.ts";
import { type BodyFault, parseFault, readCalls, type RpcRequest } from "../rpc/read-calls.ts";
import { ANSWER_CHARS_MIN, type AnswerCompression, type Coding } from "./compression.ts";
import {
  charsOf,
  type CountedResponse,
  forgetTrailers,
  sendBytes,
  sendEmpty,
  sendJson,
  sendJsonBytes,
  sendLargeJson,
  sendRefusal,
  sendText,
  toStatusText,
  viewHeaders,
} from "./response.ts";
import { type Deadlines, NOT_WATCHED, type Watched } from "./deadlines.ts";
import type { Piece } from "../slices.ts";
import { answerHeaders, jsonContentType } from "./headers.ts";
import { chooseProfile, encodingOf, namedProfile } from "./request-head.ts";

export interface HttpRequestParts extends AnswerParts {
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly gate: Gate;
  readonly events: ServerEvents;
  readonly compression: AnswerCompression;
  /** Null = no key has limits. */
  readonly keyMeter: KeyMeter | null;
  readonly profile: ProfileSetting;
  readonly baseUrl: (request: IncomingMessage) => string;
  /** Path of the calls before the key. */
  readonly path: string;
}

/** Parts of a body that are kept one by one. So many become one, because each takes some hundred bytes besides its own. */
const LOOSE_PARTS_MAX = 64;

type Phase = "reading" | "answering" | "discarding" | "over";

/** One POST of calls, from its head to the end of its answer: receives the body, has the calls answered, replies. */
export class HttpRequest extends AnsweredRequest implements Watched {
  deadlineTick = NOT_WATCHED;
  earlier: Watched | null = null;
  later: Watched | null = null;
  readonly #parts: HttpRequestParts;
  readonly #request: IncomingMessage;
  readonly #response: CountedResponse;
  readonly #key: string;
  #phase: Phase = "reading";
  #chunks: Buffer[] = [];
  /** The last of them that are kept one by one. */
  #looseParts = 0;
  #bytes = 0;
  /** The deadline passed while the body was being decompressed. */
  #isLate = false;

  constructor(parts: HttpRequestParts, response: CountedResponse, key: string) {
    super(parts, response.holder, response.record);
    this.#parts = parts;
    const { req: request } = response;
    this.#request = request;
    this.#response = response;
    this.#key = key;
    parts.deadlines.watch(this, parts.limits.receiveTimeoutMs);
    request.on("data", (chunk: Buffer) => this.#onData(chunk));
    request.on("end", () => this.#onEnd());
  }

  /** Answers at once and discards the rest of the body, so that a caller that is still sending can read the answer. */
  refuseUnread(error: LamplightError, more: readonly string[] = []): void {
    if (this.#phase !== "reading") return;
    this.#phase = "discarding";
    this.#releaseBody();
    this.#closeWhenDraining();
    sendRefusal(this.#response, error, more);
  }

  /** Refuses a call while callers have too many answers to read; whether it is. */
  refuseWhereFull(): boolean {
    if (this.hasRoom(1)) return false;
    this.refuseUnread(this.overOwed(), retryAfterHeader);
    return true;
  }

  onTick(): void {
    // A refusal is sent, and its response therefore over, long before the body is.
    const gone = this.#phase === "discarding" ? this.#request : this.#response;
    if (gone.destroyed || gone.socket?.destroyed === true) this.#leave();
  }

  onDeadline(): void {
    const { receiveTimeoutMs } = this.#parts.limits;
    switch (this.#phase) {
      case "reading":
        this.#phase = "over";
        this.#releaseBody();
        this.#response.shouldKeepAlive = false;
        return sendRefusal(
          this.#response,
          new LamplightError("REQUEST__BODY_TIMEOUT", { timeoutMs: receiveTimeoutMs }),
        );
      case "discarding":
        this.#request.destroy();
        return;
      case "answering":
        this.#isLate = true;
        // Without calls the body is still being decompressed.
        return this.giveUp();
      case "over":
    }
  }

  #onData(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#response.client?.onBodyPart();
    if (this.#phase === "discarding") {
      if (this.#bytes > DISCARDED_BYTES_MAX) this.#request.destroy();
      return;
    }
    if (this.#phase !== "reading") return;
    if (this.#bytes > this.#parts.limits.bodyBytes) return this.refuseUnread(...this.#tooLarge());
    if (this.addBody(chunk.length)) this.#keep(chunk);
    else this.refuseUnread(this.overBodies(), retryAfterHeader);
  }

  #keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
    if (++this.#looseParts < LOOSE_PARTS_MAX) return;
    this.#chunks.push(Buffer.concat(this.#chunks.splice(-LOOSE_PARTS_MAX)));
    this.#looseParts = 0;
  }

  #onEnd(): void {
    forgetTrailers(this.#request);
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
    if (error === null && this.addBody(plain.length)) return this.#answer(plain);
    if (error === null) {
      this.#beforeSending();
      return sendRefusal(this.#response, this.overBodies(), retryAfterHeader);
    }
    if (error.code !== "ERR_BUFFER_TOO_LARGE") return this.#refuseBody(parseFault(error));
    this.#beforeSending();
    sendRefusal(this.#response, ...this.#tooLarge());
  }

  /** Charged like any body without a call. */
  #tooLarge(): [error: LamplightError, more: readonly string[]] {
    const { bodyBytes: limitBytes } = this.#parts.limits;
    const error = this.#chargeBody() ?? new LamplightError("REQUEST__BODY_TOO_LARGE", { limitBytes });
    return [error, retryAfterOf(retryAfterSeconds(error))];
  }

  #answer(body: Buffer): void {
    this.record?.receive();
    const { batchCalls } = this.#parts.limits;
    const calls = readCalls(body, Math.min(batchCalls, this.#account?.limits.batchCalls ?? batchCalls));
    if ("error" in calls) return this.#refuseBody(calls);
    const charge = this.#charge(calls.entries.map((entry) => (entry.kind === "call" ? entry.method : null)));
    const [refusal = null] = charge?.refusals ?? [];
    if (refusal !== null && calls.entries.every(({ kind }) => kind !== "call")) {
      charge!.end();
      this.#beforeSending();
      return this.#sendRefused(refusal);
    }
    this.#noteCalls(calls.entries);
    const { url = "", headers } = this.#request;
    this.profile = chooseProfile(namedProfile(url) ?? null, this.#parts.profile, headers["solana-client"]);
    this.setCalls(calls, charge);
    if (this.#isLate) {
      charge?.end();
      return this.giveUp();
    }
    const reason = this.#parts.gate.enter(this);
    if (reason !== null) this.record?.queue(reason);
  }

  override endpoint(): string {
    const { baseUrl, path } = this.#parts;
    return `${baseUrl(this.#request)}${path}${this.#key}`;
  }

  get #account(): KeyAccount | null {
    return this.holder.caller?.account ?? null;
  }

  /** Charges the calls to the key; null where it has no limits. */
  #charge(methods: readonly (string | null)[]): KeyCharge | null {
    const { keyMeter } = this.#parts;
    const account = this.#account;
    if (keyMeter === null || account === null) return null;
    const charge = keyMeter.charge(account, methods);
    this.#response.limitHeaders = charge.headers;
    return charge;
  }

  #refuseBody({ error, method }: BodyFault): void {
    this.#beforeSending();
    const refusal = this.#chargeBody();
    if (refusal === null) this.#sendFault(error, method);
    else this.#sendRefused(refusal);
  }

  #sendRefused(refusal: LamplightError): void {
    sendRefusal(this.#response, refusal, retryAfterOf(retryAfterSeconds(refusal)));
  }

  /** Charges a body that holds no calls as one call; the refusal where that is over a limit of the key. */
  #chargeBody(): LamplightError | null {
    const charge = this.#charge([null]);
    charge?.end();
    return charge?.refusals?.[0] ?? null;
  }

  #noteCalls(entries: readonly RpcRequest[]): void {
    const { record } = this;
    if (record === null) return;
    const [entry] = entries;
    const name = entry?.kind === "call" ? entry.method : "";
    const known = this.#parts.router.isMethodImplemented(name) ? name : "unknown";
    record.noteCalls(entries.length > 1 ? "batch" : known, entries.length);
  }

  protected override reply(reply: Reply): void {
    if (this.#phase !== "answering") return;
    this.record?.reply();
    this.#beforeSending();
    if (reply.body === null) return sendEmpty(this.#response, 204, answerHeaders);
    const { body } = reply;
    const isLarge = typeof body !== "string" && !(body instanceof JsonBytes);
    if (!this.hasRoom(isLarge ? charsOf(body) : body.length))
      return sendRefusal(this.#response, this.overOwed(), retryAfterHeader);
    if (isLarge) return this.#sendLarge(body);
    if (reply.refusal === null || typeof body !== "string") return this.#sendAnswer(body);
    const { message, retryAfterSeconds: seconds } = reply.refusal;
    const more = retryAfterOf(seconds);
    sendText(this.#response, reply.status, jsonContentType, body, more, toStatusText(message));
  }

  #sendAnswer(body: ReplyBody): void {
    const headers = viewHeaders(this);
    const accepted = this.#request.headers["accept-encoding"];
    const coding = body.length < ANSWER_CHARS_MIN ? null : this.#parts.compression.codingFor(accepted);
    const isText = typeof body === "string";
    if (coding !== null) void this.#sendCompressed(bytesOf(body), coding, headers);
    else if (isText) sendJson(this.#response, 200, body, headers);
    else sendJsonBytes(this.#response, body, headers);
  }

  async #sendCompressed(body: Buffer, coding: Coding, headers: readonly string[]): Promise<void> {
    // The text waits here until it is compressed.
    this.keepAnswer(body.length);
    const compressed = await this.#parts.compression.compress(body, coding).catch(() => null);
    this.removeAnswer(body.length);
    if (this.#response.destroyed) return this.record?.end(0, 0);
    sendBytes(this.#response, compressed ?? body, compressed === null ? null : coding, headers);
  }

  #sendLarge(body: readonly Piece[]): void {
    const headers = viewHeaders(this);
    sendLargeJson(this.#response, body, this, headers).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, "an answer could not be sent");
      this.#response.destroy();
      this.record?.end(0, 0);
    });
  }

  /** A fault of the whole body: reported on HTTP 200, like the error of a call. */
  #sendFault(error: LamplightError, method: string | null): void {
    if (this.record !== null) this.record.error = error.code;
    sendJson(this.#response, 200, errorReply("null", toCallerError(error, method, this.#parts.log)));
  }

  #releaseBody(): void {
    if (this.#chunks.length > 0) this.#chunks = [];
    this.dropBody();
  }

  /** An answer is sent now: the body is given back, and its time is over. */
  #beforeSending(): void {
    this.#phase = "over";
    this.#releaseBody();
    this.#parts.deadlines.release(this);
    this.#closeWhenDraining();
  }

  #leave(): void {
    this.#phase = "over";
    this.#releaseBody();
    this.#parts.deadlines.release(this);
    this.abandon();
    this.record?.end(0, 0);
  }

  #closeWhenDraining(): void {
    if (this.#parts.gate.isDraining) this.#response.shouldKeepAlive = false;
  }
}

const retryAfterOf = (seconds: number | null): readonly string[] =>
  seconds === null ? [] : ["Retry-After", String(seconds)];

const retryAfterHeader = retryAfterOf(1);

/** A copy in one piece. The pieces are freed. */
const bytesOf = (body: ReplyBody): Buffer => {
  if (typeof body === "string") return Buffer.from(body);
  const bytes = body.toBuffer();
  body.free();
  return bytes;
};
