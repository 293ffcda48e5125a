// Vitest: each test that asks for `chain` gets one of its own. The import adds matchers to `expect`.
import { expect } from "vitest";
import { test } from "@lamplight/testing/vitest";

test("a sold cat is the buyer's", async ({ chain }) => {
  const alice = chain.wallet("alice");
  const bob = chain.wallet("bob");
  const cat = await chain.mint({ kind: "core", owner: alice, name: "Cat #1" });
  await cat.transfer(bob);
  await expect(cat).toBeOwnedBy(bob);
  const { total, items } = await chain.client.searchAssets({ ownerAddress: bob.address });
  expect(total).toBe(1);
  expect(items[0]?.id).toBe(cat.id);
});
