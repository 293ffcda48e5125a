import type { Socket } from "node:net";

import { LamplightError, toRpcError } from "@lamplight/errors";

import { answerHeaders, jsonContentType } from "./headers.ts";
import { endAndLinger } from "./linger.ts";

export interface LastAnswer {
  /** HTTP status. */
  readonly status: number;
  /** The caller ended its side within a request: mostly it has left. */
  readonly hasEnded: boolean;
  /** @returns bytes of the body */
  readonly send: (socket: Socket) => number;
}

/**
 * The answer to what Node could not read as HTTP, in the same form as every other refusal; null where no caller is left to
 * read it. Nothing of what was received is repeated or logged: a path carries a key.
 */
export const clientErrorAnswer = ({ code = "" }: NodeJS.ErrnoException): LastAnswer | null => {
  if (!code.startsWith("HPE_") && code !== "ERR_HTTP_REQUEST_TIMEOUT") return null;
  const [status, message] = describe(code);
  const hasEnded = code === "HPE_INVALID_EOF_STATE";
  return { status, hasEnded, send: (socket) => endWith(socket, status, message, -32600) };
};

/** Answers a connection that is one too many, and closes it. */
export const refuseConnection = (socket: Socket): void => {
  endWith(socket, 503, "Too many connections from this address", -32069, ["Retry-After", "1"]);
};

/** Answers a CONNECT, and closes its connection. */
export const refuseConnect = (socket: Socket): void =>
  endWithError(socket, new LamplightError("REQUEST__HTTP_METHOD", { answered: "POST" }), allowHeader);

const allowHeader = ["Allow", "POST, OPTIONS"];

const endWithError = (socket: Socket, error: LamplightError, more: readonly string[]): void => {
  const { httpStatus, message, code } = toRpcError(error)!;
  endWith(socket, httpStatus, message, code, more);
};

const endWith = (
  socket: Socket,
  status: number,
  message: string,
  code: number,
  more: readonly string[] = [],
): number => {
  const body = `{"jsonrpc":"2.0","error":{"code":${code},"message":"${message}"},"id":null}`;
  const headers = [
    "Content-Type",
    jsonContentType,
    "Content-Length",
    String(body.length),
    "Connection",
    "close",
  ];
  const lines = [`HTTP/1.1 ${status} ${message}`];
  const all = [...headers, ...answerHeaders, ...more];
  for (let at = 0; at < all.length; at += 2) lines.push(`${all[at]}: ${all[at + 1]}`);
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  endAndLinger(socket);
  return body.length;
};

const describe = (code: string): [status: number, message: string] => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, "Request headers are too large"];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [408, "Request did not arrive in time"];
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return [413, "Chunk extensions are too large"];
    default:
      return [400, "Not an HTTP request"];
  }
};
