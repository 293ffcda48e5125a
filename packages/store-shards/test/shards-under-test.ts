import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { afterAll, beforeAll } from "vitest";

/** Shards of the stores under test. */
const SHARDS = 3;

/** `describe` with a server of its own. Its stores have a coordinator and three shards, in four plain databases. */
export const describeShards = (
  name: string,
  body: (newStore: () => string, server: () => TestPostgres) => void,
): void => {
  describePostgres(name, () => {
    let server: TestPostgres;
    let stores = 0;
    beforeAll(async () => {
      server = await startPostgres();
      const session = await server.connect();
      for (let place = 0; place < SHARDS; place += 1) await session.query(`CREATE DATABASE shard_${place}`);
      await session.end();
    });
    afterAll(async () => {
      await server?.stop();
    });
    const newStore = (): string => {
      stores += 1;
      const url = new URL(server.url.replace(/^postgres(?:ql)?:/u, "shards:"));
      url.searchParams.set("schema", `coordinator_${stores}`);
      for (let place = 0; place < SHARDS; place += 1) {
        const shard = new URL(server.url);
        shard.pathname = `/shard_${place}`;
        shard.searchParams.set("schema", `store_${stores}`);
        url.searchParams.append("shard", shard.href);
      }
      return url.href;
    };
    body(newStore, () => server);
  });
};

/** The URL of a store with other shards. */
export const withShards = (url: string, shards: readonly string[]): string => {
  const changed = new URL(url);
  changed.searchParams.delete("shard");
  for (const shard of shards) changed.searchParams.append("shard", shard);
  return changed.href;
};
