import { randomBytes } from "node:crypto";
import { afterAll, describe, vi } from "vitest";
import { dropShardsStore } from "../src/drop-shards-store.ts";

/** Shards of the stores under test: one for each worker of a small Citus, because it takes seconds to place one. */
const SHARDS = 2;

/**
 * `describe` with the Citus that `LAMPLIGHT_CITUS_URL` names: the coordinator of an existing cluster. Its stores have a
 * coordinator in a plain schema there, and shards that Citus places. They are deleted in the end.
 */
export const describeCitus = (name: string, body: (newStore: () => string) => void): void => {
  const server = process.env["LAMPLIGHT_CITUS_URL"];
  if (server === undefined) console.warn(`SKIPPED ${name}: LAMPLIGHT_CITUS_URL names no Citus`);
  describe.skipIf(server === undefined)(name, () => {
    const run = randomBytes(4).toString("hex");
    const stores: string[] = [];
    afterAll(async () => {
      // Other test files place their shards at the same time, and Citus ends one of two that wait for each other.
      for (const store of stores) await vi.waitFor(() => dropShardsStore(store), { timeout: 60_000 });
    });
    body(() => {
      const url = shardsOf(server!, `${run}_${stores.length}`);
      stores.push(url);
      return url;
    });
  });
};

const shardsOf = (server: string, name: string): string => {
  const url = new URL(server.replace(/^postgres(?:ql)?:/u, "shards:"));
  url.searchParams.set("schema", `coordinator_${name}`);
  for (let place = 0; place < SHARDS; place += 1) {
    const shard = new URL(server);
    shard.searchParams.set("schema", `shard_${name}_${place}`);
    url.searchParams.append("shard", shard.href);
  }
  return url.href;
};
