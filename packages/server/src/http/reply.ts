import type { ServerResponse } from "node:http";

import { type LamplightError, toRpcError } from "@lamplight/errors";

import { errorReply } from "../rpc/reply-text.ts";
import { corsHeaders, jsonContentType } from "./headers.ts";

/** Sends a text as one write, headers and body together. */
export const sendText = (
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  more: readonly string[] = [],
  statusText?: string,
): void => {
  const length = Buffer.byteLength(body);
  const headers = ["Content-Type", contentType, "Content-Length", String(length)];
  for (const text of corsHeaders) headers.push(text);
  for (const text of more) headers.push(text);
  if (statusText === undefined) response.writeHead(status, headers);
  else response.writeHead(status, statusText, headers);
  // Every byte a character: then the cheaper encoding writes the same bytes.
  response.end(body, length === body.length ? "latin1" : "utf8");
};

export const sendJson = (
  response: ServerResponse,
  status: number,
  body: string,
  more?: readonly string[],
): void => sendText(response, status, jsonContentType, body, more);

/** Sends headers only. */
export const sendEmpty = (response: ServerResponse, status: number, headers: readonly string[]): void => {
  response.writeHead(status, [...headers]);
  response.end();
};

/**
 * Refuses a request before there is a call to answer: HTTP status, a JSON-RPC body with `id: null`, and the reason in
 * the status text, since some clients drop the body of anything but a 200.
 */
export const sendRefusal = (
  response: ServerResponse,
  error: LamplightError,
  more: readonly string[] = [],
): void => {
  const rpcError = toRpcError(error)!;
  sendText(
    response,
    rpcError.httpStatus,
    jsonContentType,
    errorReply("null", rpcError),
    more,
    toStatusText(rpcError.message),
  );
};

/** A status line takes visible ASCII only. */
export const toStatusText = (message: string): string =>
  message.replaceAll(/[^\x20-\x7e]/gu, "?").slice(0, 200);
