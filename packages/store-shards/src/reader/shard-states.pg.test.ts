import { reads } from "@lamplight/core";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test } from "vitest";
import { startProxy } from "../../../store-postgres/test/start-proxy.ts";
import { describeShards, withShards } from "../../test/shards-under-test.ts";
import { parseShardsUrl } from "../location.ts";
import { shardOf } from "../shard-of.ts";
import { openShardsStore } from "../writer/open-shards-store.ts";
import { openShardsReader } from "./open-shards-reader.ts";

const accounts = Array.from({ length: 30 }, (_, index) => accountOf(index));

describeShards("a shard that is lost", (newStore) => {
  test("is named, its keys are refused, and all else is answered", async () => {
    const url = newStore();
    const [first, ...others] = parseShardsUrl(url).shards as [string, ...string[]];
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    await store.commit(slotOf(1, accounts));
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
    const proxy = await startProxy(first);
    const reader = await openShardsReader({ url: withShards(url, [proxy.urlOf(first), ...others]) });
    const ask = async (place: number): Promise<unknown> => {
      const view = await reader.openView("finalized");
      try {
        const { address } = accounts.find((account) => shardOf(account.address, 3) === place)!;
        return await view.read(reads.account(address));
      } finally {
        view.close();
      }
    };
    const states = () => reader.servers().map(({ role, state }) => [role, state]);
    const found = ["primary", "read"];
    expect(await ask(0)).not.toBeNull();
    expect(states()).toEqual([found, found, found]);
    await proxy.close();
    await expect(ask(0)).rejects.toMatchObject({ code: "STORE__UNREACHABLE" });
    expect([await ask(1), await ask(2)]).not.toContain(null);
    expect(states()).toEqual([[null, "unreachable"], found, found]);
    expect(reader.servers()[1]!.server).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/shard_1\?schema=store_1$/u);
    reader.close();
  });
});
