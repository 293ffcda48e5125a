// chain.clone: an asset of another chain, with the accounts that describe it, read over HTTP from a real server.

import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { address } from "@solana/kit";
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestChain, isLamplightError, type TestChain } from "./index.ts";

let source: TestChain;
let url: string;
let chain: TestChain;
beforeAll(async () => {
  source = await createTestChain({ seed: 2 });
  ({ url } = await source.listen());
});
afterAll(() => source.close());
beforeEach(async () => {
  chain = await createTestChain({ seed: 3 });
});
afterEach(() => chain.close());

/** The document, without what its off-chain part adds: that is not cloned. */
const onChainPart = async (from: TestChain, id: string): Promise<object> => {
  const { content, ...asset } = await from.client.getAsset(id, { showCollectionMetadata: true });
  const { name, symbol } = content.metadata;
  const grouping = asset.grouping.map(({ group_key, group_value, verified }) => [
    group_key,
    group_value,
    verified,
  ]);
  return { ...asset, grouping, jsonUri: content.json_uri, name, symbol };
};

const refusalOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!isLamplightError(error, "CHAIN__INVALID_INPUT")) throw error;
  return [error.context.property, error.message];
};

describe.each(["core", "nft", "programmable-nft", "token-2022"] as const)("a clone of kind %s", (kind) => {
  test("has the same document as the original, and so has its collection", async () => {
    const collectionKind = kind === "programmable-nft" ? "nft" : kind;
    const cats = await source.collection({ kind: collectionKind, name: "Cats" });
    const alice = source.wallet("alice");
    const extra = kind === "nft" ? { maxSupply: 3 } : {};
    const cat = await source.mint({ kind, owner: alice, collection: cats, name: "Cat #1", ...extra });
    await cat.delegate(source.wallet("bob"));
    const cloned = await chain.clone(cat, { from: url });
    expect(cloned.id).toBe(cat.id);
    expect(cloned.accounts[0]).toBe(cat.id);
    expect(cloned.accounts).toContain(cats.id);
    expect((await cloned.get()).ownership).toMatchObject({ owner: alice.address, delegated: true });
    for (const id of [cat.id, cats.id])
      expect(await onChainPart(chain, id)).toEqual(await onChainPart(source, id));
    expect((await chain.client.searchAssets({ grouping: ["collection", cats.id] })).total).toBe(
      (await source.client.searchAssets({ grouping: ["collection", cats.id] })).total,
    );
  });
});

test("a token account comes with its mint, another chain is read by its fetch, and one slot has it all", async () => {
  const [alice, supply] = [source.wallet("alice"), 2n ** 63n + 1n];
  const gold = await source.mint({ kind: "fungible", owner: alice, supply, decimals: 6 });
  const [holding] = await findAssociatedTokenPda({
    owner: address(alice.address),
    mint: address(gold.id),
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  const before = chain.slot;
  const cloned = await chain.clone(holding, { from: source });
  expect(chain.slot).toBe(before + 1);
  expect(cloned.accounts).toContain(gold.id);
  expect(await chain.token(gold).balance(alice)).toBe(supply);
});

test("a wallet is cloned with its lamports", async () => {
  const carol = source.wallet("carol");
  const { accounts } = await chain.clone(carol, { from: source });
  expect(accounts).toEqual([carol.address]);
  expect((await chain.client.getAccountInfo(carol.address))?.value?.lamports).toBe(10_000_000_000n);
});

describe("refuses", () => {
  test("what has no account there, such as a compressed asset", async () => {
    const leaf = await source.mint({ kind: "compressed" });
    expect(await refusalOf(chain.clone(leaf, { from: url }))).toEqual([
      "address",
      expect.stringMatching(
        /^address has no account at http:\/\/127.*a compressed asset has none, and cannot/,
      ),
    ]);
    expect(await refusalOf(chain.clone("nobody", { from: url }))).toEqual(["address", expect.any(String)]);
  });

  test.each([undefined, null, {}, "mainnet", "ws://127.0.0.1"])("%j as from", async (from) => {
    expect(await refusalOf(chain.clone(source.wallet("alice"), { from: from as never }))).toEqual([
      "from",
      "from must be the http or https URL of an RPC node, or an object with fetch",
    ]);
  });

  test("another property", async () => {
    const work = chain.clone(source.wallet("alice"), { form: url } as never);
    expect(await refusalOf(work)).toEqual(["form", expect.stringContaining("did you mean from")]);
  });

  test("a node that does not answer, or answers with errors, and changes nothing", async () => {
    const refusing: Server = createServer((_, response) => {
      const error = { code: -32010, message: "excluded from account secondary indexes" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
    }).listen(0, "127.0.0.1");
    await once(refusing, "listening");
    const { port } = refusing.address() as AddressInfo;
    const alice = source.wallet("alice");
    const from = `http://127.0.0.1:${port}/my-secret-key`;
    const before = chain.slot;
    const [property, message] = (await refusalOf(chain.clone(alice, { from }))) as [string, string];
    expect(property).toBe("from");
    expect(message).toContain("getMultipleAccounts: excluded from account secondary indexes (-32010)");
    expect(message).not.toContain("my-secret-key");
    refusing.closeAllConnections();
    refusing.close();
    await once(refusing, "close");
    expect(await refusalOf(chain.clone(alice, { from }))).toEqual([
      "from",
      expect.stringContaining("does not answer (ECONNREFUSED)"),
    ]);
    source.fail({ status: 500 });
    expect(await refusalOf(chain.clone(alice, { from: source }))).toEqual([
      "from",
      expect.stringContaining("HTTP 500"),
    ]);
    expect(chain.slot).toBe(before);
  });
});
