import { offchainRow } from "@lamplight/core";
import { ChainWorld, Random } from "@lamplight/devchain";
import { describe, expect, test } from "vitest";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { answerOver } from "../../test/chain-model.ts";
import { openTestStore } from "../../test/open-test-store.ts";
import { randomOperation } from "../../test/random-operation.ts";
import { createIndexer } from "../indexer.ts";
import { MemoryChain } from "./memory-chain.ts";

type Slot = ReturnType<ChainWorld["takeSlot"]>;

const addTo = async (chain: MemoryChain, world: ChainWorld, slot: Slot): Promise<void> => {
  for (const [uri, json] of slot.documents) chain.putDocument(uri, json);
  await chain.add(slot);
};

const searches = [
  {},
  { compressed: true },
  { burnt: true },
  { frozen: true, limit: 3 },
  { tokenType: "fungible" },
  { creatorVerified: false },
  { interface: "V1_NFT", sortBy: { sortBy: "updated", sortDirection: "desc" }, limit: 7, page: 2 },
  { name: "renamed", sortBy: { sortBy: "created", sortDirection: "asc" } },
];

const questionsOf = (world: ChainWorld) => [
  ...world.ids().map((id) => ({ method: "getAsset", params: { id, options: { showFungible: true } } })),
  ...world.ids().map((mint) => ({ method: "getNftEditions", params: { mint } })),
  ...world.ids().map((id) => ({ method: "getAccountInfo", params: [id, { encoding: "jsonParsed" }] })),
  ...["alice", "bob", "carol"].map((name) => ({
    method: "searchAssets",
    params: { ownerAddress: world.wallet(name).address },
  })),
  ...searches.map((params) => ({ method: "searchAssets", params })),
  { method: "getLargestAccounts", params: [] },
];

const answersOf = async (chain: Parameters<typeof answerOver>[0], world: ChainWorld) => {
  const answers: string[] = [];
  for (const call of questionsOf(world)) {
    const answer = await answerOver(chain, call, { assetCommitment: "processed" });
    answers.push(`${call.method} ${JSON.stringify(call.params)}: ${answer}`);
  }
  return answers;
};

describe("a chain in memory", () => {
  test.each([1, 2, 3])("answers like a store that has the same slots, seed %i", async (seed) => {
    const world = new ChainWorld({ seed });
    const random = new Random(seed, 1, 1);
    const problems: unknown[] = [];
    const memory = new MemoryChain((problem) => problems.push(problem));
    const kept = openTestStore();
    const reader = openSqliteReader({ file: kept.file });
    const indexer = createIndexer(kept.store);
    try {
      await kept.store.writeCoverage({ kind: "whole" });
      for (let step = 0; step < 120; step += 1) {
        for (let operation = random.between(1, 4); operation > 0; operation -= 1)
          randomOperation(world, random);
        const slot = world.takeSlot();
        await addTo(memory, world, slot);
        await kept.store.offchain!.writeRows(slot.documents.map(([uri, json]) => documentRow(uri, json)));
        const { accounts, transactions, blockhash } = slot;
        await indexer.apply({ accounts, transactions, watermark: { slot: slot.slot, blockhash } });
        memory.finalize(slot.slot);
      }
      expect(problems).toEqual([]);
      expect(world.ids().length).toBeGreaterThan(20);
      expect(await answersOf(memory, world)).toEqual(await answersOf(reader, world));
    } finally {
      reader.close();
      await kept.close();
    }
  });

  test("replaces slots that are not finalized, and none that are", async () => {
    const world = new ChainWorld();
    const chain = new MemoryChain();
    const cat = world.mint({ kind: "core", owner: world.wallet("alice"), name: "Cat" });
    const leaf = world.mint({ kind: "compressed", owner: world.wallet("alice"), name: "Leaf" });
    await addTo(chain, world, world.takeSlot());
    chain.finalize(chain.slotOf("processed"));
    const before = await answersOf(chain, world);
    world.transfer(cat, world.wallet("bob"));
    await addTo(chain, world, world.takeSlot());
    world.burn(leaf);
    world.mint({ kind: "nft", name: "Other" });
    await addTo(chain, world, world.takeSlot());
    expect(await answersOf(chain, world)).not.toEqual(before);
    chain.rollback(world.undoSlots(2));
    expect(await answersOf(chain, world)).toEqual(before);
    world.transfer(leaf, world.wallet("carol"));
    await addTo(chain, world, world.takeSlot());
    const search = { method: "searchAssets", params: { ownerAddress: world.wallet("carol").address } };
    const answer = await answerOver(chain, search, { assetCommitment: "processed" });
    expect(JSON.parse(answer)).toMatchObject({ total: 1, items: [{ id: leaf }] });
    expect(() => chain.rollback(chain.slotOf("finalized") - 1)).toThrow("finalized");
  });

  test("shows each commitment, and an index that lags", async () => {
    const world = new ChainWorld();
    const chain = new MemoryChain();
    const slots = Array.from({ length: 5 }, () => world.takeSlot());
    for (const slot of slots) await chain.add(slot);
    chain.confirm(slots[2]!.slot);
    chain.finalize(slots[1]!.slot);
    const seen = (): number[] =>
      (["processed", "confirmed", "finalized"] as const).map(
        (commitment) => chain.openView(commitment).slot - slots[0]!.slot,
      );
    expect(seen()).toEqual([4, 2, 1]);
    chain.lagSlots = 3;
    expect(seen()).toEqual([1, 1, 1]);
  });
});

const documentRow = (uri: string, json: string) =>
  offchainRow(uri, { status: "ok", json, immutable: true, fetchedMs: 0 });
