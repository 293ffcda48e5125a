import { describe, expect, test } from "vitest";
import { createClient } from "@lamplight/client";
import { refusedProperty } from "../test/refused-property.ts";
import { createTestChain, HttpError, isLamplightError, RpcError, type TestAsset } from "./index.ts";

const answerOfSeed = async (seed: number): Promise<string> => {
  await using chain = await createTestChain({ seed });
  for (const kind of ["core", "nft", "compressed"] as const)
    await chain.mint({ kind, owner: chain.wallet("alice") });
  const params = { ownerAddress: chain.wallet("alice").address };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "searchAssets", params });
  const headers = { "content-type": "application/json" };
  return (await chain.fetch("http://chain", { method: "POST", headers, body })).text();
};

const plain = (answers: readonly object[]): unknown =>
  answers.map((answer) => ("error" in answer ? String(answer.error) : answer));

describe("the example of the README", () => {
  test("answers what was minted and sold", async () => {
    await using chain = await createTestChain({ seed: 1 });
    const alice = chain.wallet("alice");
    const bob = chain.wallet("bob");
    const cats = await chain.collection({ name: "Cats" });
    const cat = await chain.mint({
      kind: "core",
      owner: alice,
      collection: cats,
      name: "Cat #1",
      attributes: { fur: "black" },
    });
    await cat.transfer(bob);
    const { total, items } = await chain.client.searchAssets({ ownerAddress: bob.address });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      id: cat.id,
      grouping: [{ group_key: "collection", group_value: cats.id }],
      content: {
        metadata: { name: "Cat #1", attributes: [{ trait_type: "fur", value: "black" }] },
        links: { image: expect.stringMatching(/^data:image\/svg\+xml,/) },
        files: [{ mime: "image/svg+xml" }],
      },
    });
  });

  test("gives the same addresses and answers in every run of a seed", async () => {
    expect(await answerOfSeed(3)).toBe(await answerOfSeed(3));
    expect(await answerOfSeed(3)).not.toBe(await answerOfSeed(4));
  });
});

describe("time", () => {
  test("under Alpenglow a slot is confirmed and finalized with the next one", async () => {
    await using chain = await createTestChain({ autoFinalize: false, consensus: "alpenglow" });
    const alice = chain.wallet("alice");
    await chain.mint({ kind: "core", owner: alice });
    const lamports = async (commitment: "processed" | "confirmed" | "finalized") =>
      (await chain.client.getAccountInfo(alice.address, { commitment }))?.value?.lamports;
    expect(await lamports("processed")).toBe(10_000_000_000n);
    expect([await lamports("confirmed"), await lamports("finalized")]).toEqual([undefined, undefined]);
    await chain.advance({ slots: 1 });
    expect([await lamports("confirmed"), await lamports("finalized")]).toEqual([
      10_000_000_000n,
      10_000_000_000n,
    ]);
    await expect(chain.fork(2)).rejects.toMatchObject({ code: "CHAIN__FINALIZED" });
    await expect(createTestChain({ consensus: "poh" as never })).rejects.toMatchObject({
      code: "CHAIN__INVALID_INPUT",
    });
  });

  test("confirms and finalizes as slots pass", async () => {
    await using chain = await createTestChain({ autoFinalize: false });
    await chain.advance({ slots: 40 });
    const alice = chain.wallet("alice");
    const leaf = await chain.mint({ kind: "compressed", owner: alice });
    const owned = async (): Promise<number> =>
      (await chain.client.searchAssets({ ownerAddress: alice.address })).total;
    expect(await owned()).toBe(0);
    await chain.advance({ slots: 2 });
    expect(await owned()).toBe(1);
    const lamports = async (commitment: "processed" | "finalized") =>
      (await chain.client.getAccountInfo(alice.address, { commitment }))?.value?.lamports;
    expect(await lamports("processed")).toBe(10_000_000_000n);
    expect(await lamports("finalized")).toBeUndefined();
    await leaf.burn();
    await chain.advance({ slots: 33 });
    expect(await lamports("finalized")).toBe(10_000_000_000n);
  });

  test("replaces slots that are not finalized", async () => {
    await using chain = await createTestChain({ autoFinalize: false });
    const alice = chain.wallet("alice");
    const cat = await chain.mint({ kind: "core", owner: alice });
    await chain.advance({ slots: 40 });
    await cat.transfer(chain.wallet("bob"));
    const before = chain.slot;
    await chain.advance({ slots: 2 });
    const owner = async () => (await chain.client.getAsset(cat.id)).ownership.owner;
    expect(await owner()).toBe(chain.wallet("bob").address);
    await chain.fork(3);
    await chain.advance({ slots: 2 });
    expect(await owner()).toBe(alice.address);
    expect(chain.slot).toBeGreaterThan(before);
    await expect(chain.fork(40)).rejects.toMatchObject({ code: "CHAIN__FINALIZED" });
    await cat.transfer(chain.wallet("carol"));
    await chain.advance({ slots: 2 });
    expect(await owner()).toBe(chain.wallet("carol").address);
  });

  test("names the slot that an asset was last updated in, at the commitment of the answer", async () => {
    await using chain = await createTestChain({ autoFinalize: false });
    const cats = await chain.collection({ kind: "nft", name: "Cats" });
    const cat = await chain.mint({ kind: "nft", collection: cats });
    const minted = chain.slot;
    await chain.advance({ slots: 40 });
    const updatedSlot = async () => (await chain.client.withMeta.getAsset(cat.id)).updatedSlot;
    expect(await updatedSlot()).toBe(minted);
    await cat.transfer(chain.wallet("bob"));
    const sold = chain.slot;
    // Confirmed after two slots.
    expect(await updatedSlot()).toBe(minted);
    await cats.update({ name: "Big Cats" });
    await chain.advance({ slots: 2 });
    expect((await chain.client.getAsset(cats.id)).content.metadata.name).toBe("Big Cats");
    expect(await updatedSlot()).toBe(sold);
    await chain.fork(4);
    await chain.advance({ slots: 4 });
    expect(await updatedSlot()).toBe(minted);
  });

  test("goes back to a snapshot, any number of times", async () => {
    await using chain = await createTestChain();
    const leaf = await chain.mint({ kind: "compressed-v2", owner: chain.wallet("alice"), name: "One" });
    const snapshot = await chain.snapshot();
    const first = await chain.client.getAsset(leaf.id);
    for (const name of ["Two", "Three"]) {
      await leaf.update({ name });
      expect((await chain.client.getAsset(leaf.id)).content.metadata.name).toBe(name);
      await chain.mint({ kind: "nft", name: "Other" });
      await chain.restore(snapshot);
      expect(await chain.client.getAsset(leaf.id)).toEqual(first);
      expect((await chain.client.searchAssets({})).total).toBe(1);
    }
  });

  test("shows the time it was warped to", async () => {
    await using chain = await createTestChain();
    const date = new Date("2030-05-01T12:00:00Z");
    await chain.warpTo(date);
    const clock = await chain.client.getAccountInfo("SysvarC1ock11111111111111111111111111111111", {
      encoding: "jsonParsed",
    });
    const { parsed } = clock!.value!.data as { parsed: { info: { unixTimestamp: number } } };
    expect(Math.abs(Number(parsed.info.unixTimestamp) - date.getTime() / 1000)).toBeLessThanOrEqual(1);
    await chain.warpTo(chain.slot + 1000);
    expect(clock?.context.slot).toBe(chain.slot - 1000);
  });
});

const endpoints = async (assets: readonly TestAsset[]) =>
  assets.map(({ id }) => ({ method: "getAsset", params: { id } }) as const);

describe("client, fetch and port", () => {
  test("give the same answers", async () => {
    await using chain = await createTestChain();
    const assets = [
      await chain.mint({ kind: "core", name: "A" }),
      await chain.mint({ kind: "nft", name: "B", maxSupply: 2 }),
      await chain.mint({ kind: "compressed", name: "C" }),
      await chain.mint({ kind: "fungible", name: "D", supply: 2n ** 63n }),
    ];
    const { url } = await chain.listen();
    const byFetch = createClient({ url: "http://anywhere.invalid", fetch: chain.fetch });
    const byPort = createClient({ url });
    const calls = [
      ...(await endpoints(assets)),
      { method: "searchAssets", params: { limit: 2 } } as const,
      { method: "getTokenSupply", params: [assets[3]!.id] } as const,
      { method: "getNftEditions", params: { mint: assets[1]!.id } } as const,
      { method: "getAsset", params: { id: chain.wallet("alice").address } } as const,
    ];
    const wanted = await chain.client.batch(calls);
    expect(wanted.filter(({ ok }) => ok)).toHaveLength(7);
    expect(plain(await byFetch.batch(calls))).toEqual(plain(wanted));
    expect(plain(await byPort.batch(calls))).toEqual(plain(wanted));
    const supply = await byFetch.getTokenSupply(assets[3]!.id);
    expect(supply.value.amount).toBe(String(2n ** 63n));
  });

  test("serve the pages and probes of the real server", async () => {
    await using chain = await createTestChain();
    const response = await chain.fetch("http://chain/openrpc.json");
    expect(response.status).toBe(200);
    expect(((await response.json()) as { methods: unknown[] }).methods.length).toBeGreaterThan(6);
  });

  test("end with the signal of the request", async () => {
    await using chain = await createTestChain();
    chain.delay(60_000);
    const body = '{"jsonrpc":"2.0","id":1,"method":"searchAssets","params":{}}';
    const signal = AbortSignal.timeout(10);
    await expect(chain.fetch("http://x", { method: "POST", body, signal })).rejects.toThrow("timeout");
  });
});

describe("faults", () => {
  test("fail so many calls of a method, by client and by fetch", async () => {
    await using chain = await createTestChain({ retry: false });
    const byFetch = createClient({ url: "http://x", fetch: chain.fetch, retry: false });
    for (const client of [chain.client, byFetch]) {
      chain.fail({ method: "searchAssets", status: 503, times: 2 });
      await client.getLargestAccounts();
      await expect(client.searchAssets({})).rejects.toBeInstanceOf(HttpError);
      await expect(client.searchAssets({})).rejects.toMatchObject({ status: 503 });
      await client.searchAssets({});
      chain.fail({ method: "getLargestAccounts", code: -32005, message: "Behind" });
      const failed = await client.getLargestAccounts().catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(RpcError);
      expect(failed).toMatchObject({ code: -32005, message: "Behind" });
      chain.fail({ method: "getLargestAccounts", code: -32005 });
      const [search, largest] = await client.batch([
        { method: "searchAssets", params: {} },
        { method: "getLargestAccounts" },
      ]);
      expect([search.ok, largest.ok]).toEqual([true, false]);
    }
  });

  test("are survived by the retries of the client", async () => {
    await using chain = await createTestChain();
    const client = createClient({ url: "http://x", fetch: chain.fetch });
    chain.fail({ status: 429, retryAfter: 0 });
    expect((await client.searchAssets({})).total).toBe(0);
  });

  test("let the index lag", async () => {
    await using chain = await createTestChain();
    const cat = await chain.mint({ kind: "core", owner: chain.wallet("alice") });
    chain.lag(1);
    await cat.transfer(chain.wallet("bob"));
    const owner = async () => (await chain.client.getAsset(cat.id)).ownership.owner;
    expect(await owner()).toBe(chain.wallet("alice").address);
    chain.heal();
    expect(await owner()).toBe(chain.wallet("bob").address);
  });
});

describe("bad input", () => {
  const kinds = { kind: "nft", name: "x" } as const;
  test.each([
    ["kind", { kind: "nonsense" }],
    ["owner", { ...kinds, owner: "not an address" }],
    ["name", { ...kinds, name: "x".repeat(33) }],
    ["sellerFeeBasisPoints", { ...kinds, sellerFeeBasisPoints: 10_001 }],
    ["creators[0].address", { ...kinds, creators: [{ address: "x", share: 100 }] }],
    ["creators", { ...kinds, creators: [{ address: new Uint8Array(32), share: 50 }] }],
    ["collection", { ...kinds, collection: new Uint8Array(32) }],
    ["maxSupply", { ...kinds, maxSupply: -1 }],
    ["supply", { kind: "fungible", supply: 2n ** 64n }],
    ["decimals", { kind: "fungible", decimals: 256 }],
    ["extensions.nonsense", { kind: "token-2022", extensions: { nonsense: true } }],
    [
      "extensions.permanentDelegate.who",
      { kind: "token-2022", extensions: { permanentDelegate: { who: 1 } } },
    ],
    ["plugins[0].kind", { kind: "core", plugins: [{ kind: "nonsense" }] }],
    ["frozen", { kind: "compressed", frozen: true }],
    ["tree", { kind: "compressed", tree: new Uint8Array(32) }],
    ["attributes", { ...kinds, attributes: 5 }],
  ])("names the property %s and leaves the chain as it was", async (property, input) => {
    await using chain = await createTestChain();
    const error = await chain.mint(input as never).catch((caught: unknown) => caught);
    expect(isLamplightError(error, "CHAIN__INVALID_INPUT")).toBe(true);
    expect(error).toMatchObject({ context: { property } });
    expect((await chain.client.searchAssets({})).total).toBe(0);
  });

  test("names what an operation needs", async () => {
    await using chain = await createTestChain();
    const coin = await chain.mint({ kind: "fungible", owner: chain.wallet("alice"), supply: 10n });
    const to = chain.wallet("bob");
    const alice = chain.wallet("alice");
    expect(await refusedProperty(coin.transfer(to))).toBe("from");
    expect(await refusedProperty(coin.transfer(to, { from: alice }))).toBe("amount");
    expect(await refusedProperty(coin.transfer(to, { from: alice, amount: 11n }))).toBe("amount");
    expect(await refusedProperty(coin.close(alice))).toBe("from");
    await coin.freeze({ from: alice });
    expect(await refusedProperty(coin.transfer(to, { from: alice, amount: 1n }))).toBe("from");
    const cat = await chain.mint({ kind: "core", frozen: true });
    expect(await refusedProperty(cat.transfer(to))).toBe("id");
    expect(await refusedProperty(cat.verifyCreator(to))).toBe("creator");
    await cat.burn();
    expect(await refusedProperty(cat.thaw())).toBe("id");
  });
});

describe("plain accounts", () => {
  test("are answered as they were written, and closed with zero lamports", async () => {
    await using chain = await createTestChain();
    const address = chain.wallet("anyone").address;
    const data = Uint8Array.of(1, 2, 3);
    await chain.setAccount({ address, owner: chain.wallet("program"), lamports: 7n, data });
    const account = await chain.client.getAccountInfo(address, { encoding: "base64" });
    expect(account?.value).toMatchObject({
      lamports: 7n,
      owner: chain.wallet("program").address,
      data: ["AQID", "base64"],
    });
    await chain.setAccount({ address, lamports: 0 });
    expect(await chain.client.getAccountInfo(address)).toBeNull();
  });
});
