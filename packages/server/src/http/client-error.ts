import type { Socket } from "node:net";

import { corsHeaders, jsonContentType } from "./headers.ts";

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
  const body = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"${message}"},"id":null}`;
  const headers = [
    "Content-Type",
    jsonContentType,
    "Content-Length",
    String(body.length),
    "Connection",
    "close",
  ];
  const lines = [`HTTP/1.1 ${status} ${message}`];
  const all = [...headers, ...corsHeaders];
  for (let at = 0; at < all.length; at += 2) lines.push(`${all[at]}: ${all[at + 1]}`);
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
};

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
