import { expect, test } from "vitest";
import { testMatchers } from "../test/matcher-cases.ts";
import { createTestChain } from "./index.ts";
import { test as testWithChain } from "./vitest.ts";

testMatchers({ expect, test, createTestChain });

testWithChain("are there, with their types, where the fixture is imported", async ({ chain }) => {
  const alice = chain.wallet("alice");
  const cat = await chain.mint({ kind: "core", owner: alice });
  await expect(cat).toBeOwnedBy(alice);
  // @ts-expect-error an amount is missing
  await expect(expect(chain.token(cat)).toHaveBalance(alice)).rejects.toThrow(
    "amount must be a whole number",
  );
});
