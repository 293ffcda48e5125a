// Nothing over node:http and SQLite is faster than this: it reads the document and answers.
import { DatabaseSync } from "node:sqlite";
import { decodeAddress } from "@lamplight/codecs";
import { serveBare } from "../harness/bare-server.ts";

const [file] = process.argv.slice(2);
const database = new DatabaseSync(file!, { readOnly: true });
database.exec("PRAGMA mmap_size = 2147483648");
const find = database.prepare(
  "SELECT asset.ord, document, extras FROM asset JOIN asset_document ON asset_document.ord = asset.ord WHERE asset.id = ?",
);
find.setReadBigInts(true);

serveBare(({ id, params }) => {
  const { document } = find.get(decodeAddress(params[0])) as { document: string };
  return `{"jsonrpc":"2.0","result":${document},"id":${id}}`;
});
