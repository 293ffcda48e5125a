import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestChain, type TestChain } from "./index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-dumps-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An account of a chain as `solana account --output json` writes it. */
const dump = async (chain: TestChain, address: string): Promise<string> => {
  const account = (await chain.client.getAccountInfo(address, { encoding: "base64" }))!.value!;
  const { lamports, data, owner, executable, space } = account;
  return `{"pubkey":"${address}","account":{"lamports":${lamports},"data":${JSON.stringify(data)},"owner":"${owner}","executable":${executable},"rentEpoch":18446744073709551615,"space":${space}}}`;
};

describe("loadAccounts", () => {
  test("gives the accounts and the assets of dumps, in folders too", async () => {
    await using source = await createTestChain({ seed: 2 });
    const cat = await source.mint({ kind: "core", owner: source.wallet("alice"), name: "Dumped" });
    const coin = await source.mint({ kind: "fungible", supply: 2n ** 63n + 1n });
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "cat.json"), await dump(source, cat.id));
    writeFileSync(join(folder, "deep/coin.json"), await dump(source, coin.id));

    await using chain = await createTestChain({ seed: 3 });
    expect(await chain.loadAccounts(folder)).toBe(2);
    const { total, items } = await chain.client.searchAssets({
      ownerAddress: source.wallet("alice").address,
    });
    expect([total, items[0]?.id, items[0]?.content.metadata.name]).toEqual([1, cat.id, "Dumped"]);
    const { value } = await chain.client.getTokenSupply(coin.id);
    expect(value.amount).toBe(String(2n ** 63n + 1n));
    const again = await chain.mint({ kind: "nft" });
    expect((await chain.client.getAsset(again.id)).id).toBe(again.id);
  });

  test("refuses what is no dump, and names the file", async () => {
    const bad = mkdtempSync(join(tmpdir(), "lamplight-bad-dumps-"));
    writeFileSync(join(bad, "broken.json"), '{"pubkey":"nobody"}');
    await using chain = await createTestChain();
    await expect(chain.loadAccounts(bad)).rejects.toThrow("broken.json");
    expect((await chain.client.searchAssets({})).total).toBe(0);
    rmSync(bad, { recursive: true });
  });
});
