import { contractDocument } from "@lamplight/contract";
import { startServer } from "@lamplight/server";
import { openSqliteReader } from "@lamplight/store-sqlite";

const [file] = process.argv.slice(2);
const server = await startServer({
  viewSource: openSqliteReader({ file: file! }),
  document: contractDocument,
  keys: ["bench"],
  port: 0,
});
console.log(`${server.url}/v3/bench`);
