import { TestChain } from "./test-chain.ts";
import type { TestChainOptions } from "./test-chain-options.ts";

/**
 * Creates a chain in this process: no files, no network, no other process.
 *
 * ```ts
 * const chain = await createTestChain({ seed: 1 });
 * const alice = chain.wallet("alice");
 * const cat = await chain.mint({ kind: "core", owner: alice, name: "Cat #1" });
 * const asset = await chain.client.getAsset(cat.id);
 * await chain.close();
 * ```
 *
 * @throws LamplightError `CHAIN__INVALID_INPUT`, which names the option; an unknown one too
 */
export const createTestChain = async (options: TestChainOptions = {}): Promise<TestChain> => {
  const chain = new TestChain(options);
  await chain.advance({ slots: 1 });
  return chain;
};
