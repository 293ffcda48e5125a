import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoAddresses } from "@lamplight/devchain";
import { demoKey, type DemoWorld, openDemoWorld } from "../test/demo-world.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { createInProcessClient } from "./in-process.ts";
import { RpcError } from "./errors/rpc-error.ts";

let world: DemoWorld;
beforeAll(async () => {
  world = await openDemoWorld();
});
afterAll(() => world.close());

const { delegate, masterEditionMint, mint, missing, nft, nftOwner, tokenAccount, wallet } = demoAddresses;

/** The same calls, over a server and without one. */
const ways: readonly (readonly [string, () => Client])[] = [
  ["over HTTP", () => createClient({ url: world.url, apiKey: demoKey })],
  ["in process", () => createInProcessClient({ viewSource: world.viewSource })],
];

describe.each(ways)("a client %s", (_way, open) => {
  test("reads an account, u64 exact", async () => {
    const info = await open().getAccountInfo(wallet);
    expect(info?.value?.rentEpoch).toBe(2n ** 64n - 1n);
    expect(typeof info?.value?.lamports).toBe("bigint");
    expect(info?.value?.data).toEqual(["", "base64"]);
    expect(typeof info?.context.slot).toBe("number");
  });

  test("answers null for a missing account", async () => {
    expect(await open().getAccountInfo({ address: missing })).toBeNull();
  });

  test("reads a parsed token account", async () => {
    const info = await open().getAccountInfo(tokenAccount, { encoding: "jsonParsed" });
    expect(info?.value?.data).toMatchObject({
      program: "spl-token",
      space: 165,
      parsed: { type: "account" },
    });
  });

  test("reads an asset by position and by name", async () => {
    const client = open();
    const asset = await client.getAsset(nft);
    expect(asset).toMatchObject({ id: nft, interface: "V1_NFT", ownership: { owner: nftOwner } });
    expect(await client.getAsset({ id: nft })).toEqual(asset);
    const token = await client.getAsset(mint, { showFungible: true });
    expect(typeof token.token_info?.supply).toBe("bigint");
  });

  test("searches by position and by name", async () => {
    const client = open();
    const named = await client.searchAssets({ ownerAddress: nftOwner, interface: "V1_NFT", limit: 2 });
    expect(named.total).toBeGreaterThan(0);
    const positions = await client.searchAssets(null, null, "V1_NFT", nftOwner);
    expect(positions.total).toBe(named.total);
    expect(positions.items.slice(0, 2)).toEqual(named.items);
    expect((await client.searchAssets({ supply: 18446744073709551615n })).total).toBe(0);
  });

  test("lists prints", async () => {
    const prints = await open().getNftEditions(masterEditionMint, null, 2);
    expect(prints).toMatchObject({ total: 23, limit: 2, page: 1, supply: 23 });
    expect(prints.editions.map(({ edition }) => edition)).toEqual([1, 2]);
  });

  test("lists the token accounts of a delegate", async () => {
    const { value } = await open().getTokenAccountsByDelegate(delegate, { mint });
    expect(value.length).toBeGreaterThan(0);
    expect(value.every(({ account }) => typeof account.lamports === "bigint")).toBe(true);
  });

  test("reads a supply", async () => {
    expect((await open().getTokenSupply(mint)).value).toMatchObject({ decimals: 6 });
  });

  test("lists the largest accounts, whichever way the config is given", async () => {
    const client = open();
    const all = await client.getLargestAccounts();
    expect(all.value).toHaveLength(20);
    expect(all.value[0]!.lamports).toBeGreaterThanOrEqual(all.value[19]!.lamports);
    const config = { filter: "nonCirculating" } as const;
    const named = await client.getLargestAccounts({ config });
    expect(named).not.toEqual(all);
    expect(await client.getLargestAccounts(config)).toEqual(named);
  });

  test.each([
    ["unknown asset", (client: Client) => client.getAsset(missing), { code: -32000, data: { id: missing } }],
    [
      "a limit out of range",
      (client: Client) => client.searchAssets({ limit: 5000 }),
      { code: -32602, data: { parameter: "limit" } },
    ],
    [
      "a slot not reached",
      (client: Client) => client.getAccountInfo(wallet, { minContextSlot: 2n ** 63n }),
      { code: -32016, data: { contextSlot: expect.any(Number) as number } },
    ],
    [
      "a type error by position",
      (client: Client) => client.getNftEditions(masterEditionMint, "two" as never),
      { code: -32602, data: { parameter: "page", position: 2 } },
    ],
    [
      "an address that is none",
      (client: Client) => client.getTokenSupply("0OIl"),
      { code: -32602, message: "Invalid param: Invalid" },
    ],
  ])("refuses %s", async (_what, call, about) => {
    const refused = call(open());
    await expect(refused).rejects.toBeInstanceOf(RpcError);
    await expect(refused).rejects.toMatchObject(about);
  });

  test("answers a batch, each call for itself", async () => {
    const [asset, unknown, largest] = await open().batch([
      { method: "getAsset", params: [nft] },
      { method: "getAsset", params: { id: missing } },
      { method: "getLargestAccounts" },
    ]);
    expect(asset.ok && asset.result.id).toBe(nft);
    expect(!unknown.ok && unknown.error.code).toBe(-32000);
    expect(largest.ok && typeof largest.result.value[0]!.lamports).toBe("bigint");
  });

  test("gives what JSON can hold wherever there is no amount", async () => {
    const client = open();
    const asset = await client.getAsset(nft);
    expect(JSON.parse(JSON.stringify(asset))).toEqual(asset);
    const page = await client.getNftEditions(masterEditionMint);
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
  });

  test("walks all pages", async () => {
    const client = open();
    const walk = client.getNftEditions.all({ mint: masterEditionMint, limit: 5 }, { readAhead: 2 });
    const numbers: number[] = [];
    for await (const { edition } of walk) numbers.push(edition);
    const { editions, total } = await client.getNftEditions(masterEditionMint);
    expect(numbers).toEqual(editions.map(({ edition }) => edition));
    expect(numbers).toHaveLength(total);
    const ids: string[] = [];
    for await (const { id } of client.searchAssets.all({ ownerAddress: nftOwner, limit: 7 })) ids.push(id);
    const all = await client.searchAssets({ ownerAddress: nftOwner, limit: 1000 });
    expect(all.total).toBeGreaterThan(14);
    expect(ids).toEqual(all.items.map(({ id }) => id));
  });

  test("reports the slot of an answer", async () => {
    const client = open();
    const { result, slot, updatedSlot, incompleteTrees } = await client.withMeta.getAsset({ id: nft });
    expect(result).toEqual(await client.getAsset(nft));
    expect(slot).toBe((await client.getAccountInfo(wallet))?.context.slot);
    expect(incompleteTrees).toEqual([]);
    expect(updatedSlot).toBeGreaterThanOrEqual(300_000_000);
    expect(updatedSlot).toBeLessThanOrEqual(slot!);
    expect((await client.withMeta.getAccountInfo(wallet)).updatedSlot).toBeNull();
  });

  test("takes anything that writes itself as an address", async () => {
    const key = { toBase58: () => nft };
    const client = open();
    expect((await client.getAsset(key)).id).toBe(nft);
    expect((await client.getAsset({ id: key })).id).toBe(nft);
    const { total } = await client.searchAssets({ grouping: ["collection", key] });
    expect(total).toBe((await client.searchAssets({ grouping: ["collection", nft] })).total);
  });

  test("ends with the caller's signal", async () => {
    const signal = AbortSignal.abort(new Error("never mind"));
    await expect(open().with({ signal }).getAsset(nft)).rejects.toThrow("never mind");
  });
});

const settle = async (calls: readonly Promise<unknown>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(calls)).map((outcome) =>
    outcome.status === "fulfilled"
      ? outcome.value
      : { refused: (outcome.reason as RpcError).code, with: (outcome.reason as RpcError).message },
  );

describe("both ways", () => {
  test("give equal answers and equal refusals", async () => {
    const outcomes = await Promise.all(
      ways.map(async ([, open]) => {
        const client = open();
        const all: unknown[] = [];
        // Few at once: a server that is busy with all of them may refuse some.
        for (const address of Object.values(demoAddresses))
          all.push(
            ...(await settle([
              client.getAccountInfo(address, { encoding: "jsonParsed" }),
              client.getAsset(address, { showFungible: true, showUnverifiedCollections: true }),
              client.getTokenSupply(address),
              client.getNftEditions(address),
              client.getTokenAccountsByDelegate(address, { mint }),
              client.searchAssets({ ownerAddress: address, limit: 5 }),
            ])),
          );
        all.push(...(await settle([client.getLargestAccounts({ filter: "circulating" })])));
        return all;
      }),
    );
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  test("answer a batch over the server's bound", async () => {
    const calls = Array.from({ length: 25 }, () => ({ method: "getAsset", params: [nft] }) as const);
    for (const [, open] of ways) {
      const answers = await open().batch(calls);
      expect(answers.map((answer) => answer.ok && answer.result.id)).toEqual(calls.map(() => nft));
    }
  });

  test("report an unknown key", async () => {
    const refused = createClient({ url: world.url, apiKey: "nobody" }).getAsset(nft);
    await expect(refused).rejects.toMatchObject({ name: "KeyUnknownError", status: 401, code: -32060 });
  });
});

test("the slot of the last update is named for a single call only", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "getAsset", params: [nft] };
  for (const [body, isNamed] of [
    [call, true],
    [[call, { ...call, params: [mint] }], false],
    [{ ...call, params: [missing] }, false],
  ] as const) {
    const { headers } = await fetch(`${world.url}/v3/${demoKey}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([body, headers.has("x-updated-slot")]).toEqual([body, isNamed]);
    expect(headers.get("access-control-expose-headers")).toContain("X-Updated-Slot");
  }
});

describe("createInProcessClient", () => {
  test("answers Solana clients' way when it is set", async () => {
    const client = createInProcessClient({ viewSource: world.viewSource, profile: "agave" });
    expect(await client.getAccountInfo(missing)).toMatchObject({ value: null });
  });

  test("keeps the cause of an error that a server would only log", async () => {
    const cause = new Error("the disk is gone");
    const viewSource = {
      openView: () => {
        throw cause;
      },
    };
    await expect(createInProcessClient({ viewSource }).getAsset(nft)).rejects.toMatchObject({
      code: -32603,
      cause,
    });
  });

  test("does not wait for a store past the time limit", async () => {
    const viewSource = { openView: () => new Promise<never>(() => {}) };
    await expect(createInProcessClient({ viewSource, timeoutMs: 20 }).getAsset(nft)).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });
});
