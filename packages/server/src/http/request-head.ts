import type { IncomingMessage } from "node:http";

import { LamplightError } from "@lamplight/errors";

import type { Route } from "../observe/request-record.ts";
import { namedProfile } from "../profile.ts";
import { isJsonContentType } from "./headers.ts";

/**
 * Whether calls of a contract, and nothing else, go to this path.
 *
 * @param start - path of the contract, as `/v3/`
 */
export const isCallPath = (path: string, start: string): boolean =>
  (path.length === start.length - 1 && start.startsWith(path)) ||
  (path.startsWith(start) && !path.includes("/", start.length));

/** The route of a request that is no call. */
export const routeOf = (path: string): Route =>
  path.endsWith(readySuffix) || path === "/livez" ? "probe" : "page";

/** The key in the path of a call. */
export const keyOf = (path: string, start: string): string => path.slice(start.length);

/**
 * The key with which everything about readiness is asked for: `/v3/<API_KEY>/readyz`, or `/readyz` with
 * `Authorization: Bearer <API_KEY>`; null for any other request.
 *
 * @param starts - paths of the contracts that are served, as `/v3/`
 */
export const readinessKeyOf = (
  path: string,
  { headers, method }: IncomingMessage,
  starts: readonly string[],
): string | null => {
  if (method !== "GET" && method !== "HEAD") return null;
  const start = starts.find((one) => path.startsWith(one));
  if (start !== undefined && path.endsWith(readySuffix)) return path.slice(start.length, -readySuffix.length);
  if (path !== readySuffix) return null;
  return /^Bearer +(\S+)$/iu.exec(headers.authorization ?? "")?.[1] ?? null;
};

const readySuffix = "/readyz";

/**
 * The error that the head of a call with a right key shows, before its body is read; null when the call may go on.
 */
export const refuseHead = (request: IncomingMessage, bodyBytesMax: number): LamplightError | null => {
  const { headers, url = "" } = request;
  if (namedProfile(url) === undefined) return new LamplightError("REQUEST__PROFILE", {});
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
