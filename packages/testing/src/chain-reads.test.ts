// A test reads its chain without writing a request, and makes slips of the pen in its inputs.

import { afterEach, describe, expect, test } from "vitest";
import { createTestChain } from "./create-test-chain.ts";
import type { TestChain } from "./test-chain.ts";

let chain: TestChain;
afterEach(() => chain.close());

describe("asset.get", () => {
  test("answers the document as it is now", async () => {
    chain = await createTestChain();
    const [alice, bob] = [chain.wallet("alice"), chain.wallet("bob")];
    const cat = await chain.mint({ kind: "core", owner: alice, name: "Cat #1" });
    expect(await cat.get()).toEqual(await chain.client.getAsset(cat.id));
    await cat.transfer(bob);
    expect((await cat.get()).ownership.owner).toBe(bob.address);
    expect(await cat.get({ showFungible: true })).toEqual(
      await chain.client.getAsset(cat.id, { showFungible: true }),
    );
  });
});

describe("chain.token", () => {
  test("gives balance and supply in raw units", async () => {
    chain = await createTestChain();
    const [alice, bob] = [chain.wallet("alice"), chain.wallet("bob")];
    const supply = 2n ** 63n + 1n;
    const gold = await chain.mint({ kind: "fungible", owner: alice, supply });
    const token = chain.token(gold);
    expect(await token.balance(alice)).toBe(supply);
    expect(await token.balance(bob)).toBe(0n);
    await gold.transfer(bob, { from: alice, amount: 2n ** 60n });
    expect(await token.balance(bob)).toBe(2n ** 60n);
    expect(await token.balance(alice)).toBe(supply - 2n ** 60n);
    await gold.burn({ from: bob, amount: 2n ** 60n });
    expect(await token.balance(bob)).toBe(0n);
    expect(await token.supply()).toBe(supply - 2n ** 60n);
  });

  test("refuses what is no mint", async () => {
    chain = await createTestChain();
    const alice = chain.wallet("alice");
    await expect(chain.token(alice).balance(alice)).rejects.toThrow("not a Token mint");
  });
});

describe("assetCommitment", () => {
  test.each([
    ["processed", 0],
    ["confirmed", 2],
    ["finalized", 32],
  ] as const)("%s shows an asset after %i slots", async (assetCommitment, slots) => {
    chain = await createTestChain({ autoFinalize: false, assetCommitment });
    await chain.advance({ slots: 40 });
    const cat = await chain.mint({ kind: "core" });
    const answer = async (): Promise<number> => {
      const request = {
        jsonrpc: "2.0",
        id: 1,
        method: "searchAssets",
        params: { interface: "MplCoreAsset" },
      };
      const response = await chain.fetch("http://chain.test/v3/test", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      const { result } = (await response.json()) as { readonly result: { readonly total: number } };
      const { total } = await chain.client.searchAssets({ interface: "MplCoreAsset" });
      expect(result.total).toBe(total);
      return total;
    };
    if (slots > 0) {
      await chain.advance({ slots: slots - 1 });
      expect(await answer()).toBe(0);
      await chain.advance({ slots: 1 });
    }
    expect(await answer()).toBe(1);
    expect((await cat.get()).id).toBe(cat.id);
  });
});

const refusal = (property: string, reason: string): unknown =>
  expect.objectContaining({ code: "CHAIN__INVALID_INPUT", context: { property, reason } });

describe("a property that an input does not have", () => {
  test("is refused everywhere, with the nearest one", async () => {
    chain = await createTestChain();
    const alice = chain.wallet("alice");
    const cat = await chain.mint({ kind: "core", owner: alice });
    const slips: readonly (readonly [call: () => unknown, property: string, nearest: string | null])[] = [
      [() => createTestChain({ sed: 1 } as object), "sed", "seed"],
      [() => chain.mint({ kind: "core", ownr: alice } as never), "ownr", "owner"],
      [
        () => chain.mint({ kind: "core", creators: [{ adress: alice, share: 100 }] } as never),
        "adress",
        "address",
      ],
      [() => chain.collection({ name: "Cats", plugin: [] } as never), "plugin", "plugins"],
      [() => chain.tree({ deph: 3 } as never), "deph", "depth"],
      [() => chain.setAccount({ address: alice, lamport: 1 } as never), "lamport", "lamports"],
      [() => chain.advance({ slot: 1 } as never), "slot", "slots"],
      [() => chain.listen({ prot: 1 } as never), "prot", "port"],
      [async () => chain.fail({ status: 500, time: 2 } as never), "time", "times"],
      [() => cat.transfer(alice, { amout: 1 } as never), "amout", "amount"],
      [() => cat.delegate(alice, { amout: 1 } as never), "amout", "amount"],
      [() => cat.revoke({ form: alice } as never), "form", "from"],
      [() => cat.freeze({ bye: "delegate" } as never), "bye", null],
      [() => cat.thaw({ fromm: alice } as never), "fromm", "from"],
      [() => cat.update({ nam: "x" } as never), "nam", "name"],
      [() => cat.burn({ amout: 1 } as never), "amout", "amount"],
      [() => cat.inscribe({ contnt: "x" } as never), "contnt", "content"],
    ];
    for (const [call, property, nearest] of slips)
      await expect((async () => call())(), property).rejects.toEqual(
        refusal(property, nearest === null ? expect.any(String) : `is no property; did you mean ${nearest}?`),
      );
    expect((await cat.get()).ownership.owner).toBe(alice.address);
  });
});
