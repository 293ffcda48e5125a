// A process that answers for every host of the bench, and counts the replies.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { slowHost, SLOW_MS } from "./hosts.ts";

const counts: Record<string, number> = {};

const server = createServer((request, response) => {
  const [host = ""] = (request.headers.host ?? "").split(":");
  const reply = (): void => {
    counts[host] = (counts[host] ?? 0) + 1;
    response.setHeader("etag", '"1"').end(`{"name":"${request.url}","description":"a document"}`);
  };
  if (host === slowHost) setTimeout(reply, SLOW_MS);
  else reply();
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => process.send?.({ counts }));
