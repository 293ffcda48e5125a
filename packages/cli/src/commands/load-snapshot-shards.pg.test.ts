// A ledger snapshot into several databases: the rows of a load into one, and nothing half-way.

import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll } from "vitest";
import { describeShardsLoad } from "../../test/describe-shards-load.ts";

const SHARDS = 3;

describePostgres("lamplight load snapshot into several databases", () => {
  let postgres: TestPostgres;
  let stores = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
    const session = await postgres.connect();
    for (let place = 0; place < SHARDS; place += 1) await session.query(`CREATE DATABASE shard_${place}`);
    await session.end();
  });
  afterAll(async () => {
    await postgres?.stop();
  });

  describeShardsLoad(() => {
    stores += 1;
    const shards = new URL(postgres.url.replace(/^postgres(?:ql)?:/u, "shards:"));
    shards.searchParams.set("schema", `store_${stores}`);
    for (let place = 0; place < SHARDS; place += 1) {
      const shard = new URL(postgres.url);
      shard.pathname = `/shard_${place}`;
      shard.searchParams.set("schema", `store_${stores}`);
      shards.searchParams.append("shard", shard.href);
    }
    return { plain: `${postgres.url}?schema=plain_${stores}`, shards: shards.href };
  });
});
