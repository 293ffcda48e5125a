import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { chooseCoding, type Coding, compress, DOCUMENT_BYTES_MIN } from "./compression.ts";
import { replyHeaders } from "./headers.ts";
import { type CountedResponse, sendRefusal } from "./response.ts";

/** A document that is the same for every caller: made once, compressed once for each coding, sent by reference. */
export interface FixedDocument {
  readonly body: Buffer;
  /** The ETag without quotation marks. */
  readonly tag: string;
  readonly headers: readonly string[];
  readonly isCompressible: boolean;
  readonly compressed: Map<Coding, Promise<Buffer>>;
}

/** @param more - further headers, as name and value in turn */
export const fixDocument = (
  body: Buffer,
  contentType: string,
  more: readonly string[] = [],
): FixedDocument => ({
  body,
  tag: createHash("sha256").update(body).digest("base64url").slice(0, 22),
  headers: ["Content-Type", contentType, "Vary", "Accept-Encoding", ...replyHeaders, ...more],
  isCompressible: body.length >= DOCUMENT_BYTES_MIN && textTypes.test(contentType),
  compressed: new Map(),
});

const textTypes = /^(?:text\/|application\/(?:json|xml|manifest\+json)|image\/svg)/u;

/** Answers GET and HEAD: 304 to a caller that has this version. */
export const sendDocument = (
  document: FixedDocument,
  request: IncomingMessage,
  response: CountedResponse,
  status = 200,
): void => {
  const coding = document.isCompressible ? chooseCoding(request.headers["accept-encoding"]) : null;
  if (status === 200 && isKnown(request.headers["if-none-match"], document.tag)) {
    response.writeHead(304, [...validators(document.tag, coding), ...replyHeaders]);
    response.end();
    return;
  }
  const send = (body: Buffer, sentCoding: Coding | null): void => {
    if (response.destroyed) return response.record?.end(0, 0);
    const isHead = request.method === "HEAD";
    const refusal = isHead ? null : (response.client?.refusalOf(response, body.length) ?? null);
    if (refusal !== null) return sendRefusal(response, refusal, ["Retry-After", "1"]);
    const encoding = sentCoding === null ? [] : ["Content-Encoding", sentCoding];
    const length = ["Content-Length", String(body.length)];
    response.writeHead(status, [
      ...document.headers,
      ...length,
      ...encoding,
      ...validators(document.tag, sentCoding),
    ]);
    response.end(isHead ? undefined : body);
  };
  if (coding === null) return send(document.body, null);
  void compressedBody(document, coding).then(
    (body) => send(body, coding),
    () => send(document.body, null),
  );
};

const compressedBody = ({ body, compressed }: FixedDocument, coding: Coding): Promise<Buffer> => {
  const known = compressed.get(coding);
  if (known !== undefined) return known;
  const made = compress(body, coding, true);
  compressed.set(coding, made);
  return made;
};

/** May be kept, and is asked for again each time it is used: a new version shows at once. */
const validators = (tag: string, coding: Coding | null): readonly string[] => [
  "ETag",
  coding === null ? `"${tag}"` : `"${tag}-${coding}"`,
  "Cache-Control",
  "no-cache",
];

/** RFC 9110 §13.1.2: a list of tags, weak or not, or `*`; of any coding, since all hold the same version. */
const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((one) => {
    const text = one.trim().replace(/^W\//u, "");
    return text === "*" || text === `"${tag}"` || text === `"${tag}-br"` || text === `"${tag}-gzip"`;
  });
};
