// Programs are added to and dropped from a store in PostgreSQL while it follows an RPC node.

import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll } from "vitest";
import { describeScannedChanges } from "../../test/describe-scanned-changes.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 2);

describePostgres("the coverage of a store that follows an RPC node", () => {
  let server: TestPostgres;
  let stores = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  describeScannedChanges((name) => {
    stores += 1;
    return `${server.url}?schema=${name}_${stores}`;
  }, seed);
});
