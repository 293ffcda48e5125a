import { reads } from "@lamplight/core";
import { describePgBouncer, startPgBouncer } from "@lamplight/postgres-test";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test } from "vitest";
import { describeShards, withShards } from "../test/shards-under-test.ts";
import { parseShardsUrl } from "./location.ts";
import { openShardsReader } from "./reader/open-shards-reader.ts";
import { openShardsStore } from "./writer/open-shards-store.ts";

const wallet = accountOf("wallet");

describePgBouncer("several shards behind a pooler in transaction mode", () => {
  describeShards("with PgBouncer", (newStore, server) => {
    test("are read, and refuse a writer", async () => {
      const url = newStore();
      const pooler = await startPgBouncer(server(), "transaction", 4);
      const pooled = withShards(
        url,
        parseShardsUrl(url).shards.map((shard) => pooler.urlOf(shard)),
      );
      await (await openShardsStore({ url, mode: "write" })).close();
      await expect(openShardsStore({ url: pooled, mode: "write" })).rejects.toMatchObject({
        code: "STORE__POOLED",
      });
      const store = await openShardsStore({ url, mode: "write" });
      await store.commit(slotOf(1, [wallet]));
      expect(await store.checkIntegrity()).toEqual([]);
      const reader = await openShardsReader({ url: pooled });
      const view = await reader.openView("finalized");
      expect(await view.read(reads.account(wallet.address))).toEqual(wallet);
      view.close();
      reader.close();
      await store.close();
      await pooler.stop();
    });
  });
});
