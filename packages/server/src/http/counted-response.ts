import { type IncomingMessage, type OutgoingHttpHeader, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { turns } from "@lamplight/core";
import type { LamplightError } from "@lamplight/errors";

import type { Holder } from "../gate/shared-bound.ts";
import type { RequestRecord } from "../observe/request-record.ts";
import { lengthOf, type Piece, SLICE_CHARS, slicesOf } from "../slices.ts";

/** The caller of a response, which learns how far the response is. */
export interface ResponseClient {
  /** The error in place of an answer of so many bytes where there is no room for it; null where there is. */
  refusalOf(response: CountedResponse, bytes: number): LamplightError | null;
  /** A large response begins: all of its bytes are owed from now on. */
  onLarge(response: CountedResponse, bytes: number): void;
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
