import type { Socket } from "node:net";

import { LamplightError, toRpcError } from "@lamplight/errors";

import { answerHeaders, jsonContentType } from "./headers.ts";

/**
 * Answers what Node could not read as HTTP, in the same form as every other refusal, then hangs up.
 * Nothing of what was received is repeated or logged: a path carries a key.
 */
export const onClientError = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = describe(error.code);
  endWith(socket, status, message, -32600);
};

/** Answers a connection that is one too many, and closes it. */
export const refuseConnection = (socket: Socket): void =>
  endWith(socket, 503, "Too many connections from this address", -32069, ["Retry-After", "1"]);

/** Answers a connection that has brought more than may wait, and closes it. */
export const refuseBusy = (socket: Socket, reason: string): void => {
  const { httpStatus, message, code } = toRpcError(new LamplightError("SERVER__BUSY", { reason }))!;
  endWith(socket, httpStatus, message, code, ["Retry-After", "1"]);
};

const endWith = (
  socket: Socket,
  status: number,
  message: string,
  code: number,
  more: readonly string[] = [],
): void => {
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
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // A caller that still sends would lose the answer if the connection ended now; one that stays must not keep it.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};

const LINGER_MS = 1000;

const describe = (code: string | undefined): [status: number, message: string] => {
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
