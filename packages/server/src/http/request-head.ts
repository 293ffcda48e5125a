import type { IncomingMessage } from "node:http";

import type { Profile } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";

import type { Route } from "../observe/request-record.ts";
import type { ProfileSetting } from "../profile.ts";

/**
 * The absolute form of RFC 9112 §3.2.2, as proxies send it: scheme, authority, path. The host is a name or an address
 * (RFC 3986 §3.2.2); user information is refused, as RFC 9110 §4.2.4 asks.
 */
const absoluteForm =
  /^(https?):\/\/((?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?)(\/[^?#]*)?(?:\?[^#]*)?$/iu;

/**
 * The path of a request target without its query string; null for a target of no known form. Only `profile` has a
 * meaning in a query; clients append other members (helius-sdk: `?api-key=…`).
 */
export const pathOf = (target: string): string | null => {
  if (!target.startsWith("/")) return target === "*" ? target : pathOfAbsolute(target);
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
};

const pathOfAbsolute = (target: string): string | null => {
  const parts = absoluteForm.exec(target);
  return parts === null ? null : (parts[3] ?? "/");
};

/** Scheme and authority that the caller addressed: those of an absolute target, whose `Host` does not count, or `Host`. */
export const addressedOrigin = (
  request: IncomingMessage,
): { readonly scheme: string; readonly host: string } => {
  const parts = absoluteForm.exec(request.url ?? "");
  return parts === null
    ? { scheme: "http", host: request.headers.host ?? "" }
    : { scheme: parts[1]!.toLowerCase(), host: parts[2]! };
};

/** Headers of one request. In memory, a small header takes ten times its bytes. */
export const HEADERS_MAX = 100;

/** Whether `Host` is missing where HTTP/1.1 requires it. */
export const lacksHost = ({ headers, httpVersionMinor }: IncomingMessage): boolean =>
  httpVersionMinor === 1 && headers.host === undefined;

/** Whether `Host` is given more than once: RFC 9112 §3.2 has such a request refused, since two readers may disagree. */
export const repeatsHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && (name === "Host" || name.toLowerCase() === "host")) count++;
  }
  return count > 1;
};

/**
 * Whether the body has a transfer coding that we do not decode. HTTP/1.0 has none, so that a proxy may see another end of
 * the request there (RFC 9112 §6.1).
 */
export const hasUnknownCoding = ({ headers, httpVersionMinor }: IncomingMessage): boolean => {
  const coding = headers["transfer-encoding"];
  return coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== "chunked");
};

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

/** `application/json` in any letter case, with or without parameters; a charset must be UTF-8. */
const isJsonContentType = (value: string | undefined): boolean => {
  if (value === "application/json") return true;
  if (value === undefined || !/^application\/json\s*(?:;|$)/iu.test(value)) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/iu.exec(value)?.[1];
  return charset === undefined || /^utf-?8$/iu.test(charset);
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

/**
 * Chooses the profile of the answers that a request gets. Solana client libraries (web3.js, Kit, umi, helius-sdk,
 * spl-token, the Rust client) name themselves in a `Solana-Client` header and break on some of the specification's
 * rules.
 *
 * @param named - what the URL of the request names; it takes precedence over the setting
 */
export const chooseProfile = (
  named: Profile | null,
  setting: ProfileSetting,
  solanaClient: string | string[] | undefined,
): Profile => {
  if (named !== null) return named;
  if (setting !== "auto") return setting;
  return solanaClient === undefined ? "spec" : "agave";
};

/**
 * The profile that the query of a request target names, for clients that cannot send the header; null where it names
 * none, undefined where `profile` has another value or is repeated. Other members of a query have no meaning.
 */
export const namedProfile = (target: string): Profile | null | undefined => {
  const query = target.indexOf("?");
  if (query === -1) return null;
  const [name, ...others] = new URLSearchParams(target.slice(query + 1)).getAll("profile");
  if (name === undefined) return null;
  return others.length === 0 && (name === "agave" || name === "spec") ? name : undefined;
};
