import { test as base } from "vitest";
import { createTestChain, type TestChainOptions } from "./create-test-chain.ts";
import type { TestChain } from "./test-chain.ts";

/**
 * Vitest's `test` with a chain of its own for each test that asks for `chain`.
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
    // Vitest reads which fixtures a fixture needs from the first parameter's braces.
    // oxlint-disable-next-line no-empty-pattern
    chain: async ({}, use) => {
      await using chain = await createTestChain(options);
      await use(chain);
    },
  });

/** The same with seed 1. */
export const test = testWithChain();
