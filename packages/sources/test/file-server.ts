// Real HTTP servers of one file, with every trouble a server may have.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ArchiveSource } from "../src/snapshot/archive/archive-source.ts";

export const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
const servers: Server[] = [];

export const closeServers = async (): Promise<void> => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Listening {
  readonly url: string;
  /** Method and range of each. */
  readonly requests: readonly string[];
  readonly server: Server;
}

export const listen = async (handler: Handler): Promise<Listening> => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.range ?? ""}`.trim());
    handler(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
};

export interface Behaviour {
  readonly ranges?: boolean;
  /** Troubles of one GET each: bytes after which the connection breaks, or the answer instead. */
  readonly troubles?: (number | Handler)[];
  readonly tag?: () => string;
  /** Bytes of the answer to HEAD. */
  readonly headLength?: number;
}

/** A server of one file, as it should be but for its troubles. */
export const fileServer = ({
  ranges = true,
  troubles = [],
  tag = () => '"one"',
  headLength,
}: Behaviour): Handler => {
  return (request, response) => {
    if (request.url === "/snapshot.tar.bz2") {
      response.writeHead(303, { location: `/snapshot-100-${"2".repeat(44)}.tar.zst` }).end();
      return;
    }
    const isHead = request.method === "HEAD";
    const trouble = isHead ? undefined : troubles.shift();
    if (typeof trouble === "function") return trouble(request, response);
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const isPart = ranges && from > 0 && request.headers["if-range"] === tag();
    const length = content.length;
    if (isPart && from >= length)
      return void response.writeHead(416, { "content-range": `bytes */${length}` }).end();
    response.writeHead(isPart ? 206 : 200, {
      "content-length": isHead ? (headLength ?? length) : length - (isPart ? from : 0),
      etag: tag(),
      ...(isPart ? { "content-range": `bytes ${from}-${length - 1}/${length}` } : {}),
      ...(ranges ? { "accept-ranges": "bytes" } : {}),
    });
    if (isHead) return void response.end();
    const bytes = content.subarray(isPart ? from : 0);
    if (trouble === undefined) return void response.end(bytes);
    response.write(bytes.subarray(0, trouble));
    // A connection that breaks takes what its reader has not read yet with it, so the reader comes first.
    const cutAt = (isPart ? from : 0) + trouble;
    const cut = setInterval(() => {
      if (readBytes >= cutAt) response.destroy();
    }, 2);
    response.on("close", () => clearInterval(cut));
  };
};

/** The part of the file that the latest `readParts` has received. */
let readBytes = 0;

/** Reads a file of these servers to its end. Servers that break connections wait for it. */
export const readParts = async (
  parts: AsyncIterable<Buffer>,
  onPart: () => void = () => {},
): Promise<Buffer> => {
  const read: Buffer[] = [];
  readBytes = 0;
  for await (const part of parts) {
    read.push(part);
    readBytes += part.length;
    onPart();
  }
  return Buffer.concat(read);
};

export const serve = (behaviour: Behaviour): Promise<Listening> => listen(fileServer(behaviour));

/** Answers every request in the same way. */
export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Handler =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

export const readSource = (source: ArchiveSource): Promise<Buffer> => readParts(source.read());
