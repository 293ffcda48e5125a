import { DERIVATION_KEY, type StoreHead, type StoreImport } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { fill } from "@lamplight/store-conformance/copy-story";
import { accountOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { openPostgresStore } from "@lamplight/store-postgres";
import { expect, test } from "vitest";
import { describeShards, withShards } from "../../test/shards-under-test.ts";
import { parseShardsUrl } from "../location.ts";
import { openShardsReader } from "../reader/open-shards-reader.ts";
import { openShardsStore } from "../writer/open-shards-store.ts";
import { openShardsExport } from "./open-shards-export.ts";
import { openShardsImport } from "./open-shards-import.ts";

const head: StoreHead = {
  watermark: { slot: 7, blockhash: "b" },
  changeSeq: 0,
  nextOrdinal: 0,
  coverage: { kind: "whole" },
  holdings: true,
  holders: false,
  notes: {},
};

const accounts = Array.from({ length: 100 }, (_, index) => ({ current: accountOf(index), lastLife: null }));

const coordinatorOf = (url: string): string => parseShardsUrl(url).coordinator;

const countOf = async (url: string): Promise<number> => {
  const kept = await openShardsExport(url);
  let count = 0;
  for await (const page of kept.pages("accounts")) count += page.length;
  await kept.close();
  return count;
};

describeShards("an import into several shards", (newStore) => {
  test("that was cut off before the coordinator was finished is removed by the next one", async () => {
    const url = newStore();
    const cutOff = await openShardsImport({ url, holdings: true });
    await cutOff.write("accounts", accounts);
    let counted = 0;
    const failing = (step: string): void => {
      counted += Number(step === "count");
      if (counted > 3) throw new Error("cut off");
    };
    await expect((async () => cutOff.finish(head, failing))()).rejects.toThrow("cut off");
    await cutOff.close();
    // Three shards keep their rows, so no writer may open the store.
    const unfinished = { code: "STORE__UNFINISHED" };
    await expect(openShardsStore({ url, mode: "write" })).rejects.toMatchObject(unfinished);
    await expect(openShardsReader({ url })).rejects.toMatchObject(unfinished);
    const next: StoreImport = await openShardsImport({ url, holdings: true });
    await next.write("accounts", accounts.slice(0, 50));
    await next.finish(head, () => {});
    await next.close();
    expect(await countOf(url)).toBe(50);
    const store = await openShardsStore({ url, mode: "write", holdBackMs: 0 });
    await store.commit(slotOf(8, [accountOf("new")]));
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
    expect(await countOf(url)).toBe(51);
  });

  test("keeps the rules that the assets were derived by", async () => {
    const url = newStore();
    const copy = await openShardsImport({ url, holdings: true });
    await copy.finish({ ...head, notes: { [DERIVATION_KEY]: "7" } }, () => {});
    await copy.close();
    const store = await openShardsStore({ url, mode: "write" });
    expect(await store.readDerivation()).toEqual({ version: 7, next: null });
    const refused = createIndexer(store).applyAccounts([], { slot: 8, blockhash: null });
    await expect(refused).rejects.toMatchObject({ code: "STORE__OTHER_RULES", context: { found: 7 } });
    await store.close();
  });

  test("refuses a filled store, a shard of another store, and a filled database, and changes none", async () => {
    const refusal = { code: "STORE__NOT_EMPTY" };
    const filled = newStore();
    const store = await openShardsStore({ url: filled, mode: "write", holdBackMs: 0 });
    await fill(store);
    await store.close();
    const before = await countOf(filled);
    await expect(openShardsImport({ url: filled, holdings: true })).rejects.toMatchObject(refusal);

    const place = newStore();
    const { shards } = parseShardsUrl(place);
    const taken = parseShardsUrl(filled).shards[1]!;
    const beside = withShards(place, [shards[0]!, taken, shards[2]!]);
    await expect(openShardsImport({ url: beside, holdings: true })).rejects.toMatchObject(refusal);
    expect(await countOf(filled)).toBe(before);

    // A plain writer could fill a place that the next import counts as unfinished.
    for (const url of [coordinatorOf(filled), shards[2]!])
      await expect(openPostgresStore({ url, mode: "write" })).rejects.toMatchObject({
        code: "STORE__NO_SUCH_USE",
      });
    const other = newStore();
    const plain = await openPostgresStore({ url: parseShardsUrl(other).shards[2]!, mode: "write" });
    await plain.commit(slotOf(1, [accountOf("plain")]));
    await expect(openShardsImport({ url: other, holdings: true })).rejects.toMatchObject({
      code: "STORE__LOCKED",
    });
    await plain.close();
    await expect(openShardsImport({ url: other, holdings: true })).rejects.toMatchObject(refusal);
  });
});
