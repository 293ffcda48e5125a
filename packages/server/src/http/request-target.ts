import type { IncomingMessage } from "node:http";

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
