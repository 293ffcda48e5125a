import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { corsHeaders } from "./headers.ts";

/** A document that is the same for every caller: made once, sent by reference. */
export interface FixedDocument {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: readonly string[];
}

/** @param more - further headers, as name and value in turn */
export const fixDocument = (
  body: Buffer,
  contentType: string,
  more: readonly string[] = [],
): FixedDocument => {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const headers = [
    "Content-Type",
    contentType,
    "Content-Length",
    String(body.length),
    ...validators(etag),
    "X-Content-Type-Options",
    "nosniff",
    ...corsHeaders,
    ...more,
  ];
  return { body, etag, headers };
};

/** Answers GET and HEAD: 304 to a caller that has this version. */
export const sendDocument = (
  { body, etag, headers }: FixedDocument,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (isKnown(request.headers["if-none-match"], etag)) {
    response.writeHead(304, [...validators(etag), ...corsHeaders]);
    response.end();
    return;
  }
  response.writeHead(200, [...headers]);
  response.end(request.method === "HEAD" ? undefined : body);
};

/** May be kept, and is asked for again each time it is used: a new version shows at once. */
const validators = (etag: string): readonly string[] => ["ETag", etag, "Cache-Control", "no-cache"];

/** RFC 9110 §13.1.2: a list of tags, weak or not, or `*`. */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => {
    const text = tag.trim();
    return text === "*" || text === etag || text === `W/${etag}`;
  });
};
