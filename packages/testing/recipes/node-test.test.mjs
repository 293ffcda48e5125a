// node:test: `node --test`. Node 22 has no `await using`, so the test closes the chain.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestChain } from "@lamplight/testing";

let chain;
before(async () => {
  chain = await createTestChain();
});
after(() => chain.close());

test("a fungible token has the supply that was minted", async () => {
  const coin = await chain.mint({ kind: "fungible", name: "Coin", supply: 500n, decimals: 2 });
  await coin.mintAmount(chain.wallet("alice"), 250n);
  const { value } = await chain.client.getTokenSupply(coin.id);
  assert.equal(value.amount, "750");
});
