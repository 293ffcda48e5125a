import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

/**
 * A POST of calls whose bytes arrived whole, and in the plain form that HTTP clients use. `readWhole` takes only what
 * every reader of HTTP reads alike. Everything else is left to node:http.
 */
export class WholeRequest {
  readonly socket: Socket;
  /** The path, with the profile that its query may name. */
  readonly url: string;
  /** The key in the path. */
  readonly key: string;
  /** By name in lower case, as node:http has them. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;

  constructor(socket: Socket, url: string, key: string, headers: IncomingHttpHeaders, body: Buffer) {
    this.socket = socket;
    this.url = url;
    this.key = key;
    this.headers = headers;
    this.body = body;
  }

  get destroyed(): boolean {
    return this.socket.destroyed;
  }

  destroy(): void {
    this.socket.destroy();
  }
}

/** A longer head is left to node:http, which bounds it. */
const HEAD_BYTES_MAX = 8192;
const HEAD_END = "\r\n\r\n";

const requestLine = /POST (\/v3\/([\w.~-]{1,256})(?:\?profile=(?:agave|spec))?) HTTP\/1\.1\r\n/y;
/** A name of letters, digits and dashes; a value of visible ASCII, with single or repeated spaces only inside. */
const headerLine = /([A-Za-z0-9-]{1,64}): ?([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)\r\n/y;
const lengthDigits = /^(?:0|[1-9]\d{0,7})$/u;

/** Headers that say how a message ends, or what the connection becomes. */
const leftToNode: ReadonlySet<string> = new Set([
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Reads a chunk that is exactly one request; null where it is anything else. */
export const readWhole = (chunk: Buffer, socket: Socket): WholeRequest | null => {
  const text = chunk.toString("latin1", 0, HEAD_BYTES_MAX);
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return null;
  requestLine.lastIndex = 0;
  const target = requestLine.exec(text);
  if (target === null) return null;
  const headers = readHeaders(text, requestLine.lastIndex, headEnd + 2);
  if (headers === null) return null;
  const length = headers["content-length"];
  const bodyStart = headEnd + HEAD_END.length;
  if (length === undefined || !lengthDigits.test(length) || Number(length) !== chunk.length - bodyStart)
    return null;
  return new WholeRequest(socket, target[1]!, target[2]!, headers, chunk.subarray(bodyStart));
};

/** Null where a header is repeated, is not plain, or is one of `leftToNode`. */
const readHeaders = (text: string, from: number, end: number): IncomingHttpHeaders | null => {
  const headers: IncomingHttpHeaders = Object.create(null) as IncomingHttpHeaders;
  for (headerLine.lastIndex = from; headerLine.lastIndex !== end;) {
    const line = headerLine.exec(text);
    if (line === null) return null;
    const name = line[1]!.toLowerCase();
    if (name in headers || leftToNode.has(name)) return null;
    headers[name] = line[2]!;
  }
  const { host, connection } = headers;
  if (host === undefined || (connection !== undefined && connection.toLowerCase() !== "keep-alive"))
    return null;
  return headers;
};
