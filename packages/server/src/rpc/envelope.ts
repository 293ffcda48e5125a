import { type FinishedJson, JsonBytes } from "@lamplight/core";
import type { RpcError } from "@lamplight/errors";

import type { Piece } from "../slices.ts";
import type { CallerError } from "./caller-error.ts";

/** A reply or a part of one, as text or as bytes. */
export type ReplyBody = string | JsonBytes<unknown>;

/** A response with a finished result; members in the order Agave writes them. */
export const resultReply = (id: string, result: FinishedJson<unknown>): ReplyBody =>
  typeof result === "string"
    ? `{"jsonrpc":"2.0","result":${result},"id":${id}}`
    : result.within('{"jsonrpc":"2.0","result":', `,"id":${id}}`);

/** The outcome of the calls of one HTTP request. */
export interface Reply {
  readonly status: number;
  /** Null when only notifications were sent; in pieces where it is large. */
  readonly body: ReplyBody | readonly Piece[] | null;
  /** A refusal of the request as a whole (loading, busy); null otherwise. */
  readonly refusal: CallerError | null;
}

/** The body of a reply; null where nothing is answered. */
export const bodyOf = (replies: readonly ReplyBody[], isBatch: boolean): ReplyBody | null => {
  const [first = null] = replies;
  return isBatch && first !== null ? batchReply(replies) : first;
};

/** The parts of that body, without a copy. */
export const piecesOf = (replies: readonly ReplyBody[], isBatch: boolean): readonly Piece[] => {
  const pieces = replies.map((reply) => (typeof reply === "string" ? [reply] : reply.pieces));
  if (!isBatch) return pieces.flat();
  return [...pieces.flatMap((own, index) => [index === 0 ? "[" : ",", ...own]), "]"];
};

/** The replies of a batch as one. */
const batchReply = (replies: readonly ReplyBody[]): ReplyBody => {
  if (replies.every((reply) => typeof reply === "string")) {
    // Brackets around the joined text would copy all of it once more.
    const last = replies.length - 1;
    return replies
      .map((reply, index) => (index === 0 ? "[" : "") + reply + (index === last ? "]" : ""))
      .join(",");
  }
  const pieces = replies.flatMap((reply, index) => [
    Buffer.from(index === 0 ? "[" : ","),
    ...(typeof reply === "string" ? [Buffer.from(reply)] : reply.pieces),
  ]);
  return new JsonBytes([...pieces, Buffer.from("]")]);
};

/** A response with an error. */
export const errorReply = (id: string, error: RpcError): string => {
  const data = error.data === undefined ? "" : `,"data":${JSON.stringify(error.data)}`;
  return `{"jsonrpc":"2.0","error":{"code":${error.code},"message":${JSON.stringify(error.message)}${data}},"id":${id}}`;
};
