// A ledger snapshot into shards that Citus places: the rows of a load into one database, and nothing half-way.

import { describeCitus, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll } from "vitest";
import { describeShardsLoad } from "../../test/describe-shards-load.ts";

describeCitus("lamplight load snapshot into shards that Citus places", (newStore) => {
  let postgres: TestPostgres;
  let stores = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  describeShardsLoad(() => {
    stores += 1;
    return { plain: `${postgres.url}?schema=plain_${stores}`, shards: newStore() };
  });
});
