import type { IncomingMessage } from "node:http";

import { LamplightError } from "@lamplight/errors";

import type { ConnectionKeys } from "../keys.ts";
import { isJsonContentType } from "./headers.ts";

export const callPath = "/v3/";

/** The path without its query string: clients append one (helius-sdk: `?api-key=…`), it means nothing here. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
};

/** Whether calls, and nothing else, go to this path. */
export const isCallPath = (path: string): boolean =>
  path === "/v3" || (path.startsWith(callPath) && !path.includes("/", callPath.length));

/**
 * What the head of a call alone can decide, before a byte of its body is read; null when the call may go on.
 * The method first, since a browser that opens the address should read what is wrong, then the key.
 */
export const refuseHead = (
  request: IncomingMessage,
  path: string,
  keys: ConnectionKeys,
  bodyBytesMax: number,
): LamplightError | null => {
  const { headers, method = "" } = request;
  if (method !== "POST") return new LamplightError("REQUEST__HTTP_METHOD", { answered: "POST" });
  if (!keys.has(request.socket, path.slice(callPath.length)))
    return new LamplightError("REQUEST__KEY_UNKNOWN", {});
  if (!isJsonContentType(headers["content-type"])) return new LamplightError("REQUEST__CONTENT_TYPE", {});
  if (encodingOf(request) === null) return new LamplightError("REQUEST__CONTENT_ENCODING", {});
  if (Number(headers["content-length"] ?? 0) > bodyBytesMax) {
    return new LamplightError("REQUEST__BODY_TOO_LARGE", { limitBytes: bodyBytesMax });
  }
  return null;
};

/** Null for an encoding that we do not read. */
export const encodingOf = (request: IncomingMessage): "identity" | "gzip" | null => {
  const encoding = request.headers["content-encoding"];
  if (encoding === undefined) return "identity";
  switch (encoding.trim().toLowerCase()) {
    case "":
    case "identity":
      return "identity";
    case "gzip":
    case "x-gzip":
      return "gzip";
    default:
      return null;
  }
};
