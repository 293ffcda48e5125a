// What no one can be faster than with node:http and SQLite: read the body, parse it, read the document, answer.
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { decodeAddress } from "@lamplight/codecs";

const [file] = process.argv.slice(2);
const database = new DatabaseSync(file!, { readOnly: true });
database.exec("PRAGMA mmap_size = 2147483648");
const find = database.prepare(
  "SELECT asset.ord, document, extras FROM asset JOIN asset_document ON asset_document.ord = asset.ord WHERE asset.id = ?",
);
find.setReadBigInts(true);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; params: [string] };
    const row = find.get(decodeAddress(params[0])) as { document: string };
    const body = `{"jsonrpc":"2.0","result":${row.document},"id":${id}}`;
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as { port: number };
  console.log(`http://127.0.0.1:${port}/`);
});
