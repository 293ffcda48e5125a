import { test as base } from "vitest";
import { createTestChain, type TestChainOptions } from "./create-test-chain.ts";
import type { TestChain } from "./test-chain.ts";

/**
 * Vitest's `test`, with a new chain for each test that asks for `chain`.
 *
 * ```ts
 * const test = testWithChain({ seed: 7 });
 * test("shows my cats", async ({ chain }) => {
 *   await chain.mint({ kind: "core", owner: chain.wallet("alice"), name: "Cat #1" });
 * });
 * ```
 */
export const testWithChain = (options: TestChainOptions = {}) =>
  base.extend<{ chain: TestChain }>({
    // Vitest finds the fixtures that this one needs in the braces of the first parameter.
    // oxlint-disable-next-line no-empty-pattern
    chain: async ({}, use) => {
      await using chain = await createTestChain(options);
      await use(chain);
    },
  });

/** Vitest's `test`, with a chain of seed 1 for each test that asks for `chain`. */
export const test = testWithChain();
