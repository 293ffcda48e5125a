import { expect, test as base } from "vitest";
import { createTestChain } from "./create-test-chain.ts";
import type { TestChainOptions } from "./test-chain-options.ts";
import { type ChainMatchers, matchers } from "./matchers.ts";
import type { TestChain } from "./test-chain.ts";

// An import of this module adds the matchers of test chains to Vitest's `expect`, and to its types.
expect.extend(matchers);

declare module "vitest" {
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends ChainMatchers {}
}

export type { ChainMatchers };

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
