// The same tests of the matchers, for Vitest and for Jest.

import type { createTestChain, TestChain } from "../src/index.ts";
import type { ChainMatchers } from "../src/matchers.ts";

/** Both runners give this. */
interface Runner {
  readonly test: (name: string, body: () => Promise<void>) => void;
  readonly expect: (value: unknown) => Both & { readonly not: Both };
  readonly createTestChain: typeof createTestChain;
}

type Both = ChainMatchers & { toBe(value: unknown): void; toContain(value: unknown): void };

export const testMatchers = ({ test, expect, createTestChain: create }: Runner): void => {
  const withChain = async (work: (chain: TestChain) => Promise<void>): Promise<void> => {
    const chain = await create({ seed: 1 });
    try {
      await work(chain);
    } finally {
      await chain.close();
    }
  };
  test("toBeOwnedBy", () =>
    withChain(async (chain) => {
      const [alice, bob] = [chain.wallet("alice"), chain.wallet("bob")];
      const cat = await chain.mint({ kind: "core", owner: alice, name: "Cat #1" });
      await expect(cat).toBeOwnedBy(alice);
      await expect(cat).toBeOwnedBy(alice.address);
      await expect(cat).not.toBeOwnedBy(bob);
      const subject = `expected Cat #1 (${cat.id})`;
      expect(await failureOf(expect(cat).toBeOwnedBy(bob))).toBe(
        `${subject} to be owned by bob (${bob.address}), but its owner is ${alice.address}`,
      );
      expect(await failureOf(expect(cat).not.toBeOwnedBy(alice.address))).toBe(
        `${subject} not to be owned by ${alice.address}`,
      );
      const gold = await chain.mint({ kind: "fungible", owner: alice });
      expect(await failureOf(expect(gold).toBeOwnedBy(alice))).toContain("many holders: use toHaveBalance");
    }));

  test("toBeBurnt", () =>
    withChain(async (chain) => {
      for (const kind of ["nft", "core", "compressed"] as const) {
        const asset = await chain.mint({ kind, name: "Candle" });
        await expect(asset).not.toBeBurnt();
        expect(await failureOf(expect(asset).toBeBurnt())).toContain("to be burnt, but its owner is");
        await asset.burn();
        await expect(asset).toBeBurnt();
        expect(await failureOf(expect(asset).not.toBeBurnt())).toContain("not to be burnt");
      }
    }));

  test("toBeFrozen and toBeDelegatedTo", () =>
    withChain(async (chain) => {
      const [bob, carol] = [chain.wallet("bob"), chain.wallet("carol")];
      const nft = await chain.mint({ kind: "nft", name: "Boat" });
      expect(await failureOf(expect(nft).toBeFrozen())).toContain("to be frozen, but it is not");
      expect(await failureOf(expect(nft).toBeDelegatedTo(bob))).toContain("but it has no delegate");
      await nft.delegate(bob);
      await nft.freeze();
      await expect(nft).toBeFrozen();
      await expect(nft).toBeDelegatedTo(bob);
      await expect(nft).not.toBeDelegatedTo(carol);
      expect(await failureOf(expect(nft).toBeDelegatedTo(carol))).toContain(`its delegate is ${bob.address}`);
    }));

  test("toBeInCollection", () =>
    withChain(async (chain) => {
      const [cats, dogs] = [
        await chain.collection({ name: "Cats" }),
        await chain.collection({ name: "Dogs" }),
      ];
      const cat = await chain.mint({ kind: "core", collection: cats, name: "Cat #1" });
      const stray = await chain.mint({ kind: "core", name: "Stray" });
      await expect(cat).toBeInCollection(cats);
      await expect(cat).not.toBeInCollection(dogs);
      expect(await failureOf(expect(cat).toBeInCollection(dogs))).toBe(
        `expected Cat #1 (${cat.id}) to be in collection ${dogs.id}, but it is in ${cats.id}`,
      );
      expect(await failureOf(expect(stray).toBeInCollection(cats))).toContain("verified member of none");
    }));

  test("toHaveBalance", () =>
    withChain(async (chain) => {
      const [alice, bob] = [chain.wallet("alice"), chain.wallet("bob")];
      const gold = chain.token(await chain.mint({ kind: "fungible", owner: alice, supply: 2n ** 63n + 1n }));
      await expect(gold).toHaveBalance(alice, 2n ** 63n + 1n);
      await expect(gold).toHaveBalance(bob, 0);
      await expect(gold).not.toHaveBalance(alice, 2n ** 63n);
      expect(await failureOf(expect(gold).toHaveBalance(bob, 5n))).toBe(
        `expected token ${gold.mint} to have a balance of 5 for bob (${bob.address}), but the balance is 0`,
      );
    }));

  test("a value of another kind fails, with and without not", () =>
    withChain(async (chain) => {
      const alice = chain.wallet("alice");
      const cat = await chain.mint({ kind: "core", owner: alice });
      for (const value of [null, undefined, cat.id, new Map(), chain.mint({ kind: "core" })]) {
        const expected = "received value of toBeBurnt must be an asset of a test chain";
        expect(await failureOf(expect(value).toBeBurnt())).toContain(expected);
        expect(await failureOf(expect(value).not.toBeBurnt())).toContain(expected);
      }
      expect(await failureOf(expect(cat).toHaveBalance(alice, 1))).toContain("must be a token");
      expect(await failureOf(expect(cat).toBeOwnedBy("bob"))).toContain("wallet must be an address");
      expect(await failureOf(expect(cat).not.toBeOwnedBy(null as never))).toContain(
        "wallet must be an address",
      );
    }));
};

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    return (error as Error).message;
  }
  return "passed";
};
