// Programs are added to and dropped from a store in PostgreSQL while it is followed.

import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll } from "vitest";
import { describeCoverageChanges } from "../../test/describe-coverage-changes.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 2);

describePostgres("the coverage of a followed store", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  describeCoverageChanges((name) => `${server.url}?schema=${name}`, seed);
});
