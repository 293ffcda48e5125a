import type { DocumentStore } from "@lamplight/core";
import { assetOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { ShardChanges } from "@lamplight/store-postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { describeShards, withShards } from "../../test/shards-under-test.ts";
import { parseShardsUrl } from "../location.ts";
import { openShardsStore, openShardsStoreWith } from "../writer/open-shards-store.ts";
import type { SettlerOptions } from "../writer/settler.ts";
import { openShardsDocuments } from "./open-shards-documents.ts";

const ASSETS = 60;
const PAGE = 7;
/** The shard that rows do not reach while its gate is shut. */
const GATED = 1;

const slotWith = (slot: number) =>
  slotOf(slot, [], {
    assets: Array.from({ length: ASSETS }, (_, index) => ({
      ...assetOf(index),
      jsonUri: `${slot}/${index}`,
    })),
  });

/** The change numbers of a slot. */
const numbersOf = (slot: number): readonly number[] =>
  Array.from({ length: ASSETS }, (_, index) => ASSETS * (slot - 1) + index + 1);

/** Walks as the worker does: from the last change of each page. */
const walk = async ({ readAssetsChangedSince }: DocumentStore, after: number): Promise<readonly number[]> => {
  const walked: number[] = [];
  for (let last = after; ;) {
    const page = await readAssetsChangedSince(last, PAGE);
    if (page.length === 0) return walked;
    walked.push(...page.map(({ changeSeq }) => changeSeq));
    last = walked.at(-1)!;
  }
};

const gatedBy =
  (gate: { readonly isOpen: boolean }) =>
  (settling: SettlerOptions): SettlerOptions => ({
    ...settling,
    shards: settling.shards.map((shard, place) => ({
      write: async (epoch, rows) => {
        if (place === GATED && !gate.isOpen) throw new Error("the gate is shut");
        await shard.write(epoch, rows);
      },
    })),
  });

/** Waits until every shard but the gated one has the changes up to a number. */
const untilOthersHave = async (url: string, through: number): Promise<void> => {
  const others = parseShardsUrl(url).shards.filter((_, place) => place !== GATED);
  for (const shard of others) {
    const changes = new ShardChanges(shard);
    await vi.waitFor(async () => expect(await changes.read(0, 1)).toMatchObject({ through }), {
      timeout: 60_000,
    });
    await changes.close();
  }
};

describeShards("the writer of documents of several shards", (newStore) => {
  test("lists each change once, and none before every shard has it, next to the store's writer", async () => {
    const url = newStore();
    const gate = { isOpen: true };
    const store = await openShardsStoreWith({ url, mode: "write", holdBackMs: 0 }, gatedBy(gate));
    onTestFinished(() => store.close());
    const documents = await openShardsDocuments(url);
    onTestFinished(() => documents.close());
    await store.commit(slotWith(1));
    await store.settle();
    expect(await walk(documents, 0)).toEqual(numbersOf(1));

    gate.isOpen = false;
    await store.commit(slotWith(2));
    await untilOthersHave(url, 2 * ASSETS);
    // Rows of the other shards would come first, and those of this one would be passed over.
    expect(await walk(documents, ASSETS)).toEqual([]);
    gate.isOpen = true;
    // Its first attempts may still report the shut gate.
    await vi.waitFor(() => store.settle(), { timeout: 60_000 });
    expect(await walk(documents, ASSETS)).toEqual(numbersOf(2));
  });

  test("refuses a second one, and shards of another store", async () => {
    const [url, other] = [newStore(), newStore()];
    for (const one of [url, other])
      await (await openShardsStore({ url: one, mode: "write", holdBackMs: 0 })).close();
    const foreign = withShards(url, parseShardsUrl(other).shards);
    await expect(openShardsDocuments(foreign)).rejects.toMatchObject({ code: "STORE__OTHER_SHARD" });
    const documents = await openShardsDocuments(url);
    await expect(openShardsDocuments(url)).rejects.toMatchObject({ code: "STORE__LOCKED" });
    await documents.close();
    await (await openShardsDocuments(url)).close();
  });

  test("does not make a store", async () => {
    await expect(openShardsDocuments(newStore())).rejects.toMatchObject({ code: "STORE__MISSING" });
  });
});
