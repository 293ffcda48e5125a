// Kit and helius-sdk, as published, over the chain's transport; compared with Kit's own transport to the same chain.
import {
  type Address,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  type RpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
} from "@solana/kit";
import { createHelius } from "helius-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestChain, type TestChain } from "../index.ts";

const LARGE = 2n ** 63n + 1n;
let chain: TestChain;
beforeEach(async () => {
  chain = await createTestChain();
});
afterEach(() => chain.close());

/** Kit's own type takes it as it is. */
const transportOf = (one: TestChain): RpcTransport => one.transport;

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

describe("Kit", () => {
  test("reads what its own transport reads, to the digit", async () => {
    const alice = chain.wallet("alice");
    const gold = await chain.mint({ kind: "fungible", owner: alice, supply: LARGE, decimals: 3 });
    const rich = chain.wallet("rich");
    await chain.setAccount({ address: rich, lamports: LARGE });
    const { url } = await chain.listen();
    const own = createDefaultRpcTransport({ url });
    const calls: readonly (readonly [method: string, params: unknown])[] = [
      ["getAccountInfo", [rich.address, { encoding: "base64" }]],
      ["getAccountInfo", [gold.id, { encoding: "jsonParsed" }]],
      ["getTokenSupply", [gold.id]],
      ["getLargestAccounts", []],
      ["getTokenAccountsByDelegate", [alice.address, { mint: gold.id }]],
      ["getAsset", { id: gold.id }],
      ["searchAssets", { ownerAddress: alice.address, tokenType: "fungible" }],
      ["getAsset", { id: rich.address }],
      ["getTokenSupply", [rich.address]],
      ["getLatestBlockhash", []],
    ];
    for (const [method, params] of calls) {
      const payload = { jsonrpc: "2.0", id: "1", method, params };
      expect([method, await transportOf(chain)({ payload })]).toEqual([method, await own({ payload })]);
    }
    const rpc = createSolanaRpcFromTransport(chain.transport);
    const { value } = await rpc.getAccountInfo(rich.address as Address, { encoding: "base64" }).send();
    expect(value?.lamports).toBe(LARGE);
    const { value: supply } = await rpc.getTokenSupply(gold.id as Address).send();
    expect(supply).toMatchObject({ amount: String(LARGE), decimals: 3 });
  });

  test("gets the errors of its own transport", async () => {
    chain.fail({ status: 429, times: 2, retryAfter: 3 });
    const { url } = await chain.listen();
    const payload = { jsonrpc: "2.0", id: "1", method: "getTokenSupply", params: [] };
    for (const transport of [createDefaultRpcTransport({ url }), chain.transport]) {
      const error = await thrownBy(transport({ payload }));
      if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) throw error;
      expect(error.context.statusCode).toBe(429);
      expect(error.context.headers.get("retry-after")).toBe("3");
    }
  });

  test("ends a call by its signal", async () => {
    chain.delay(1_000);
    const rpc = createSolanaRpcFromTransport(chain.transport);
    const reason = new Error("no longer needed");
    const call = rpc.getLargestAccounts().send({ abortSignal: AbortSignal.abort(reason) });
    expect(await thrownBy(call)).toBe(reason);
    const ending = new AbortController();
    const started = rpc.getLargestAccounts().send({ abortSignal: ending.signal });
    ending.abort(reason);
    expect(await thrownBy(started)).toBe(reason);
  });
});

describe("helius-sdk", () => {
  test("reads by the transport, and by the URL", async () => {
    const cat = await chain.mint({ kind: "core", owner: chain.wallet("alice"), name: "Cat #1" });
    const { url } = await chain.listen();
    const byTransport = createHelius({ transport: () => chain.transport });
    for (const helius of [byTransport, createHelius({ baseUrl: url })]) {
      expect((await helius.getAsset({ id: cat.id }))?.content?.metadata.name).toBe("Cat #1");
      const owner = chain.wallet("alice").address;
      const { items } = await helius.searchAssets({ ownerAddress: owner, page: 1 });
      expect(items.map(({ id }: { readonly id: string }) => id)).toEqual([cat.id]);
      const { value } = await helius.getAccountInfo(owner as Address, { encoding: "base64" });
      expect(value?.lamports).toBe(10_000_000_000n);
    }
  });
});
