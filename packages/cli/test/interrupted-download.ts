// An HTTP server whose first answer stops in the middle. Later requests get the rest of the file.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";

export interface InterruptedDownload extends AsyncDisposable {
  /** Host, port and path of the file. */
  readonly address: string;
  readonly bytes: number;
  /** The `Range` header of each download. */
  readonly ranges: readonly (string | undefined)[];
}

/** @param onHalf - called once half of the file was sent */
export const serveInterrupted = async (
  file: string,
  onHalf: () => void = () => {},
): Promise<InterruptedDownload> => {
  const bytes = readFileSync(file);
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const from = Number(/bytes=(\d+)-/u.exec(request.headers.range ?? "")?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      "content-length": bytes.length - from,
      "accept-ranges": "bytes",
      etag: '"one"',
      ...(from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    if (request.method === "HEAD") return void response.end();
    ranges.push(request.headers.range);
    if (ranges.length > 1) return void response.end(bytes.subarray(from));
    response.write(bytes.subarray(0, bytes.length >> 1), onHalf);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}/${basename(file)}`,
    bytes: bytes.length,
    ranges,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
