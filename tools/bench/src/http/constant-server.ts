// The floor of node:http itself: the body is read and thrown away, the answer is always the same.
import { createServer } from "node:http";

const body = `{"jsonrpc":"2.0","result":${JSON.stringify("x".repeat(500))},"id":1}`;
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
});
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`http://127.0.0.1:${port}/`);
});
