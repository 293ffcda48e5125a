// Jest: `node --experimental-vm-modules node_modules/jest/bin/jest.js`, because the package is an ES module.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestChain } from "@lamplight/testing";
import "@lamplight/testing/jest";

let chain;
beforeAll(async () => {
  chain = await createTestChain();
});
afterAll(() => chain.close());

test("a burnt NFT stays readable", async () => {
  const nft = await chain.mint({ kind: "nft", name: "Candle" });
  await nft.burn();
  await expect(nft).toBeBurnt();
  const asset = await chain.client.getAsset(nft.id);
  expect(asset.content.metadata.name).toBe("Candle");
});
