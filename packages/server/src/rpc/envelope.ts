import { type FinishedJson, InexactNumber, JsonBytes, nearestName } from "@lamplight/core";
import { LamplightError, type RpcError } from "@lamplight/errors";

import type { Piece } from "../slices.ts";
import type { CallerError } from "./caller-error.ts";

/** One request object of JSON-RPC after its check. `id` is the JSON text to echo. */
export type RpcRequest =
  | { readonly kind: "call"; readonly id: string; readonly method: string; readonly params: unknown }
  /** No id: no one waits for an answer, and reads have no effect, so there is nothing to do. */
  | { readonly kind: "notification" }
  | ({ readonly kind: "invalid"; readonly id: string } & Fault);

export interface Fault {
  readonly reason: string;
  /** The member that was probably meant. */
  readonly nearest?: string;
}

/** The error of an entry that is no request of JSON-RPC. */
export const invalidRequest = ({ reason, nearest }: Fault): LamplightError =>
  new LamplightError("REQUEST__INVALID", { reason, ...(nearest === undefined ? {} : { nearest }) });

const members = ["jsonrpc", "id", "method", "params"] as const;
const isMember = (name: string): boolean =>
  name === "jsonrpc" || name === "id" || name === "method" || name === "params";

/** Checks one request object by JSON-RPC 2.0; `value` is parsed JSON. */
export const readRpcRequest = (value: unknown): RpcRequest => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "invalid", id: "null", reason: "a request is an object" };
  }
  const request = value as Record<string, unknown>;
  const id = request["id"] === undefined ? undefined : idText(request["id"]);
  if (id === null) return { kind: "invalid", id: "null", reason: "id must be a string, a number or null" };
  const fault = findFault(request);
  if (fault !== null) return { kind: "invalid", id: id ?? "null", ...fault };
  if (id === undefined) return { kind: "notification" };
  return { kind: "call", id, method: request["method"] as string, params: request["params"] };
};

const findFault = (request: Record<string, unknown>): Fault | null => {
  if (request["jsonrpc"] !== "2.0") return { reason: 'jsonrpc must be "2.0"' };
  if (typeof request["method"] !== "string") return { reason: "method must be a string" };
  const params = request["params"];
  if (
    params !== undefined &&
    params !== null &&
    (typeof params !== "object" || params instanceof InexactNumber)
  ) {
    return { reason: "params must be an array or an object" };
  }
  // As in Agave: a misspelt member (`parameters`, `Id`) would otherwise be ignored in silence.
  for (const name in request) if (!isMember(name)) return unknownMember(name);
  return null;
};

const unknownMember = (name: string): Fault => {
  const nearest = nearestName(name, members);
  const reason = `unknown member ${JSON.stringify(name.slice(0, 64))}`;
  return nearest === undefined ? { reason } : { reason: `${reason}; did you mean ${nearest}?`, nearest };
};

/** The id as it goes back: numbers digit for digit; null for what cannot be an id. */
const idText = (id: unknown): string | null => {
  if (typeof id === "string") return JSON.stringify(id);
  if (typeof id === "number" || typeof id === "bigint") return String(id);
  if (id instanceof InexactNumber) return id.text;
  return id === null ? "null" : null;
};

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
