import { type FinishedJson, JsonBytes } from "@lamplight/core";
import type { RpcError } from "@lamplight/errors";

/** A reply or a part of one, as text or as bytes. */
export type ReplyBody = string | JsonBytes<unknown>;

/** A response with a finished result; members in the order Agave writes them. */
export const resultReply = (id: string, result: FinishedJson<unknown>): ReplyBody =>
  typeof result === "string"
    ? `{"jsonrpc":"2.0","result":${result},"id":${id}}`
    : result.within('{"jsonrpc":"2.0","result":', `,"id":${id}}`);

/** The replies of a batch as one. */
export const batchReply = (replies: readonly ReplyBody[]): ReplyBody => {
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
