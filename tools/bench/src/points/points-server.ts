import { contractDocument } from "@lamplight/contract";
import { startServer } from "@lamplight/server";
import { openPostgresReader } from "@lamplight/store-postgres";

const [url] = process.argv.slice(2);
const server = await startServer({
  viewSource: await openPostgresReader({ url: url! }),
  document: contractDocument,
  keys: ["bench"],
  port: 0,
});
console.log(`${server.url}/v3/bench`);
