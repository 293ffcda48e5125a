// Starts a PostgreSQL, reports its port, and waits to be killed.

import { startPostgres } from "../src/start-postgres.ts";

const server = await startPostgres();
process.stdout.write(`${server.port}\n`);
setInterval(() => undefined, 60_000);
