import { type ServerResponse, STATUS_CODES } from "node:http";

import { type CallRequest, type JsonBytes, turns } from "@lamplight/core";
import { LamplightError, toRpcError } from "@lamplight/errors";

import type { GatedRequest } from "../gate/gated-request.ts";
import { errorReply } from "../rpc/envelope.ts";
import type { Coding } from "./compression.ts";
import type { CountedResponse } from "./counted-response.ts";
import { answerHeaders, jsonContentType } from "./headers.ts";
import type { Piece } from "../slices.ts";

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
