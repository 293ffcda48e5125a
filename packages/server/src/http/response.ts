import { type IncomingMessage, type OutgoingHttpHeader, ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import { type CallRequest, type JsonBytes, turns } from "@lamplight/core";
import { LamplightError, toRpcError } from "@lamplight/errors";

import type { GatedRequest } from "../gate/gated-request.ts";
import type { Holder } from "../gate/shared-bound.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import { errorReply } from "../rpc/envelope.ts";
import { lengthOf, type Piece, SLICE_CHARS, slicesOf } from "../slices.ts";
import type { Coding } from "./compression.ts";
import { answerHeaders, jsonContentType } from "./headers.ts";

/** The caller of a response, which learns how far the response is. */
export interface ResponseClient {
  /** The error in place of an answer of so many bytes where there is no room for it; null where there is. */
  refusalOf(response: CountedResponse, bytes: number): LamplightError | null;
  /** A large response begins: all of its bytes are owed from now on. */
  onLarge(response: CountedResponse, bytes: number): void;
  /** A part of the body of its request was read. */
  onBodyPart(): void;
  /** The response has ended. */
  onAnswered(response: CountedResponse, chunk: unknown, encoding: unknown): void;
  /** The system has taken the whole response. */
  onTaken(response: CountedResponse): void;
}

/** A response that reports its end to its connection, regardless of who sends it. */
export class CountedResponse extends ServerResponse<IncomingMessage> {
  /** Null for what Node itself refuses before there is a request. */
  client: ResponseClient | null = null;
  /** Whom the request comes from. Its key is added when it is checked; until then, it is the last one of the connection. */
  holder: Holder = withoutRequest;
  /** Bytes that count as owed until `detachSocket`. */
  owedBytes = 0;
  /** Null where nothing observes the request. */
  record: RequestRecord | null = null;
  /** Headers that name the limits of its key, as name and value in turn. */
  limitHeaders: readonly string[] = [];

  /** Adds the headers of the record and of the key's limits to those in raw form, which all our answers have. */
  override writeHead(status: number, text?: unknown, headers?: unknown): this {
    const hasText = !Array.isArray(text);
    // Each caller gives an array of its own.
    const all = ((hasText ? headers : text) ?? []) as OutgoingHttpHeader[];
    for (const one of this.record?.headers ?? []) all.push(one);
    for (const one of this.limitHeaders) all.push(one);
    forgetHead(this.req);
    return hasText ? super.writeHead(status, text as string, all) : super.writeHead(status, all);
  }

  /** A large body is sent in slices. */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (this.client !== null && isLarge(chunk)) {
      const coding = (encoding as BufferEncoding | undefined) ?? "utf8";
      this.client.onLarge(this, lengthOf(chunk, coding));
      void this.endWith([chunk], coding);
      return this;
    }
    const isFirst = !this.writableEnded;
    if (isFirst) this.record?.end(this.statusCode, this.owedBytes || bodyBytesOf(chunk, encoding));
    super.end(chunk as string, encoding as BufferEncoding, callback as () => void);
    if (isFirst) this.client?.onAnswered(this, chunk, encoding);
    return this;
  }

  /** Node calls this once per response: in a later tick than `end`, when the system has taken all of it. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    this.client?.onTaken(this);
  }

  /** Sends the pieces of a body, each slice when its caller has taken the one before: then it shows that a caller takes none. */
  async endWith(pieces: readonly Piece[], encoding: BufferEncoding = "utf8"): Promise<void> {
    for (const slice of slicesOf(pieces)) {
      if (turns.isUsedUp()) await turns.nextOfReply();
      if (this.destroyed) return this.record?.end(0, 0);
      if (!this.#writeAll(slice, encoding)) await this.drained();
    }
    if (this.destroyed) this.record?.end(0, 0);
    else this.end();
  }

  #writeAll(slice: readonly Piece[], encoding: BufferEncoding): boolean {
    this.cork();
    let isTaken = true;
    for (const piece of slice) isTaken = this.write(piece, encoding);
    this.uncork();
    return isTaken;
  }

  /** Resolves when the caller has received what was written, or has disconnected. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.off("drain", done);
        this.off("close", done);
        resolve();
      };
      this.on("drain", done);
      this.on("close", done);
    });
  }
}

/** Nothing reads the fields behind a body in chunks. */
export const forgetTrailers = (request: IncomingMessage): void => {
  request.rawTrailers = [];
  request.trailers = {};
};

/** Tracing tools may read the target when the request is over. It is kept up to here. */
const TARGET_KEPT_CHARS = 256;

/** Forgets a head when its answer begins. Where callers take no answers, heads would be most of the memory: Node accepts 16 KiB. */
const forgetHead = (request: IncomingMessage): void => {
  request.rawHeaders = [];
  request.headers = {};
  forgetTrailers(request);
  if (request.url!.length > TARGET_KEPT_CHARS) request.url = "";
};

const withoutRequest: Holder = { caller: null, address: "unknown" };

/** A head is some hundred bytes; it counts too, where there is no body. */
const HEAD_BYTES = 256;

/** Bytes of an answer whose body is given to `end`. */
export const answerBytesOf = (chunk: unknown, encoding: unknown): number =>
  HEAD_BYTES + bodyBytesOf(chunk, encoding);

/** Bytes of what is given to `end`. */
const bodyBytesOf = (chunk: unknown, encoding: unknown): number => {
  if (typeof chunk === "string") return encoding === "latin1" ? chunk.length : Buffer.byteLength(chunk);
  return chunk instanceof Uint8Array ? chunk.length : 0;
};

const isLarge = (chunk: unknown): chunk is Piece =>
  (typeof chunk === "string" || Buffer.isBuffer(chunk)) && chunk.length > SLICE_CHARS;

/** Sends a text as one write, headers and body together. */
export const sendText = (
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  more: readonly string[] = [],
  statusText = STATUS_CODES[status]!,
): void => {
  const length = Buffer.byteLength(body);
  const headers = ["Content-Type", contentType, "Content-Length", String(length)];
  for (const text of answerHeaders) headers.push(text);
  for (const text of more) headers.push(text);
  response.writeHead(status, statusText, headers);
  // Every byte a character: then the cheaper encoding writes the same bytes.
  response.end(body, length === body.length ? "latin1" : "utf8");
};

/** Sends a body that may be compressed; its bytes, not those of the text, are what the caller is owed. */
export const sendBytes = (
  response: ServerResponse,
  body: Buffer,
  coding: Coding | null,
  more: readonly string[],
): void => {
  const headers = ["Content-Type", jsonContentType, "Content-Length", String(body.length)];
  const encoding = coding === null ? [] : ["Content-Encoding", coding, "Vary", "Accept-Encoding"];
  response.writeHead(200, "OK", [...headers, ...encoding, ...answerHeaders, ...more]);
  response.end(body);
};

export const sendJson = (
  response: ServerResponse,
  status: number,
  body: string,
  more?: readonly string[],
): void => sendText(response, status, jsonContentType, body, more);

/** Pieces of a smaller body are copied together: that costs less than a write of each. */
const GATHERED_BYTES_MAX = 64 << 10;

/** Sends a finished answer without another copy. */
export const sendJsonBytes = (
  response: CountedResponse,
  body: JsonBytes<unknown>,
  more: readonly string[],
): void => {
  const headers = ["Content-Type", jsonContentType, "Content-Length", String(body.length)];
  response.writeHead(200, "OK", [...headers, ...answerHeaders, ...more]);
  if (body.length <= GATHERED_BYTES_MAX) {
    response.end(body.toBuffer());
    return body.free();
  }
  response.client?.onLarge(response, body.length);
  // The system has taken all of it, or never will: the socket is closed then.
  response.once("finish", () => body.free());
  void response.endWith(body.pieces);
};

/**
 * Sends a large body in slices, each when its caller has taken the one before, so that only one is copied for the
 * system. All of it is owed from the first moment: here until it is measured, which may take many turns, then by the
 * connection.
 *
 * @param pieces - which together are the body
 */
export const sendLargeJson = async (
  response: CountedResponse,
  pieces: readonly Piece[],
  request: Pick<GatedRequest, "keepAnswer" | "removeAnswer">,
  more: readonly string[],
): Promise<void> => {
  const chars = charsOf(pieces);
  let length = 0;
  request.keepAnswer(chars);
  try {
    for (const piece of pieces) {
      if (turns.isUsedUp()) await turns.nextOfReply();
      length += Buffer.byteLength(piece);
    }
  } finally {
    request.removeAnswer(chars);
  }
  const headers = ["Content-Type", jsonContentType, "Content-Length", String(length)];
  response.client?.onLarge(response, length);
  response.writeHead(200, "OK", [...headers, ...answerHeaders, ...more]);
  await response.endWith(pieces);
};

/** Characters or bytes of a body that is in pieces. */
export const charsOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((chars, piece) => chars + piece.length, 0);

/** Sends headers only. */
export const sendEmpty = (response: ServerResponse, status: number, headers: readonly string[]): void => {
  response.writeHead(status, STATUS_CODES[status]!, [...headers]);
  response.end();
};

/**
 * Refuses a request before there is a call to answer: HTTP status, a JSON-RPC body with `id: null`, and the reason in
 * the status text, since some clients drop the body of anything but a 200.
 */
export const sendRefusal = (
  response: CountedResponse,
  error: LamplightError,
  more: readonly string[] = [],
): void => {
  const rpcError = toRpcError(error)!;
  const { record } = response;
  if (record !== null) record.error = error.code;
  sendText(
    response,
    rpcError.httpStatus,
    jsonContentType,
    errorReply("null", rpcError),
    more,
    toStatusText(rpcError.message),
  );
};

/** Refuses a request for which there is no room now. */
export const sendBusy = (response: CountedResponse, reason: string): void =>
  sendRefusal(response, new LamplightError("SERVER__BUSY", { reason }), ["Retry-After", "1"]);

/** A status line takes visible ASCII only. */
export const toStatusText = (message: string): string =>
  message.replaceAll(/[^\x20-\x7e]/gu, "?").slice(0, 200);

/** Tree addresses written out; the header stays well below what proxies let through. */
const TREES_NAMED_MAX = 20;

/**
 * The headers in which an answer reports the state it was read from: `X-Slot` where all of it is of one slot,
 * `X-Updated-Slot` where it is one asset, `X-Coverage: partial` where it lists only what account dumps happened to
 * hold, and `X-Incomplete-Trees` where a missing leaf of some trees could change it, as addresses, with `+N` for those
 * not named.
 */
export const viewHeaders = (request: CallRequest): readonly string[] => {
  const slots = request.slots();
  const headers = slots.length === 1 ? ["X-Slot", String(slots[0])] : [];
  if (request.updatedSlot !== null) headers.push("X-Updated-Slot", String(request.updatedSlot));
  if (request.isPartial) headers.push("X-Coverage", "partial");
  const trees = request.incompleteTrees();
  if (trees.length === 0) return headers;
  const named = trees.slice(0, TREES_NAMED_MAX);
  const rest = trees.length - named.length;
  return [...headers, "X-Incomplete-Trees", [...named, ...(rest > 0 ? [`+${rest}`] : [])].join(", ")];
};
