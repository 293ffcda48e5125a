import { dasDocument } from "@lamplight/das";
import { demoAddresses } from "@lamplight/devchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoKey, type DemoWorld, openDemoWorld } from "../../test/demo-world.ts";
import { monotonicReads } from "../call/monotonic-reads.ts";
import { createClient } from "../create-client.ts";
import { isAssetNotFound, isInvalidParams } from "../generated/error-classes.ts";
import { createDasClient } from "./create-das-client.ts";
import type { DasClient } from "./das-client.ts";
import { createInProcessDasClient } from "./in-process.ts";

let world: DemoWorld;
beforeAll(async () => {
  world = await openDemoWorld();
});
afterAll(() => world.close());

const { collection, masterEditionMint, mint, missing, nft, nftCreator, nftOwner, wallet } = demoAddresses;

/** Each test makes its calls over a server, and without one. */
const ways: readonly (readonly [string, () => DasClient])[] = [
  ["over HTTP", () => createDasClient({ url: world.url, apiKey: demoKey })],
  ["in process", () => createInProcessDasClient({ viewSource: world.viewSource })],
];

/** A call of each method, by name. */
const calls: { readonly [method: string]: object } = {
  getAsset: { id: nft, options: { showCollectionMetadata: true } },
  getAssets: { ids: [nft, missing, mint] },
  getAssetBatch: { ids: [nft, missing], options: { showFungible: true } },
  // Refused: these accounts have no trees.
  getAssetProof: { id: nft },
  getAssetProofs: { ids: [nft, missing] },
  getAssetProofBatch: { ids: [nft] },
  getAssetsByOwner: { ownerAddress: nftOwner, limit: 2 },
  getAssetsByCreator: { creatorAddress: nftCreator, onlyVerified: true, limit: 2 },
  getAssetsByAuthority: { authorityAddress: nftCreator, limit: 2 },
  getAssetsByGroup: { groupKey: "collection", groupValue: collection, limit: 2 },
  getGrouping: { groupKey: "collection", groupValue: collection },
  searchAssets: { burnt: true, limit: 2 },
  getTokenAccounts: { ownerAddress: wallet, limit: 2 },
  getNftEditions: { mintAddress: masterEditionMint, limit: 2 },
};

describe.each(ways)("a DAS client %s", (_way, open) => {
  test("answers one asset, several, and null for an unknown id", async () => {
    const asset = await open().getAsset({ id: nft });
    expect(asset).toMatchObject({ id: nft, ownership: { owner: nftOwner } });
    const assets = await open().getAssets({ ids: [nft, missing] });
    expect(assets).toEqual([asset, null]);
    const [token] = await open().getAssetBatch({ ids: [mint], options: { showFungible: true } });
    expect(typeof token?.token_info?.supply).toBe("bigint");
  });

  test("lists, and walks through all pages of a list", async () => {
    const { total, items } = await open().getAssetsByOwner({ ownerAddress: nftOwner });
    expect(items).toHaveLength(total);
    const walked: string[] = [];
    for await (const { id } of open().getAssetsByOwner.all({ ownerAddress: nftOwner, limit: 3 }))
      walked.push(id);
    expect(walked).toEqual(items.map(({ id }) => id));
    const members = open().getAssetsByGroup.all({ groupKey: "collection", groupValue: collection, limit: 3 });
    let count = 0;
    for await (const { grouping } of members) count += grouping.length > 0 ? 1 : 0;
    const group = await open().getGrouping({ groupKey: "collection", groupValue: collection });
    expect(count).toBe(group.group_size);
  });

  test("gives token amounts as bigint, and counts as numbers", async () => {
    const { total, token_accounts: accounts } = await open().getTokenAccounts({ ownerAddress: wallet });
    expect(accounts).toHaveLength(total);
    for (const { amount } of accounts) expect(typeof amount).toBe("bigint");
    const { editions } = await open().getNftEditions({ mintAddress: masterEditionMint, limit: 2 });
    expect(editions.map(({ edition_number: number }) => number)).toEqual([1, 2]);
  });

  test("answers the account methods too, and batches of both", async () => {
    const supply = await open().getTokenSupply(mint);
    expect(supply.value.decimals).toBe(6);
    const [first, second, third] = await open().batch([
      { method: "getAsset", params: { id: nft } },
      { method: "getTokenSupply", params: [mint] },
      { method: "getAsset", params: { id: missing } },
    ]);
    expect(first).toMatchObject({ ok: true, result: { id: nft } });
    expect(second).toMatchObject({ ok: true, result: { value: supply.value } });
    expect(third.ok || isAssetNotFound(third.error)).toBe(true);
  });

  test("gives slots with withMeta, and waits for one", async () => {
    const { slot, updatedSlot, result } = await open().withMeta.getAsset({ id: nft });
    expect([typeof slot, typeof updatedSlot, result.id]).toEqual(["number", "number", nft]);
    await open().waitForSlot(slot!);
  });

  test("names the parameter of a refused call", async () => {
    const error: unknown = await open()
      .getAssetsByOwner({ ownerAddress: nftOwner, limit: 5000 })
      .catch((one: unknown) => one);
    expect(isInvalidParams(error) && error.parameter).toBe("limit");
  });
});

test("answers the same over HTTP and in process, by every method", async () => {
  expect(Object.keys(calls)).toEqual(dasDocument.methods.map(({ name }) => name));
  for (const [method, params] of Object.entries(calls)) {
    const [http, inProcess] = await Promise.all(
      ways.map(([, open]) =>
        (open() as unknown as AnyClient)[method]!(params).catch(({ message }: Error) => message),
      ),
    );
    expect([method, inProcess]).toEqual([method, http]);
  }
});

interface AnyClient {
  readonly [method: string]: (params: object) => Promise<unknown>;
}

test("reads that never go back carry the slot of the lists, too", async () => {
  const sent: unknown[] = [];
  const das = createDasClient({
    url: world.url,
    apiKey: demoKey,
    consistency: monotonicReads,
    onRequest: ({ body }) => sent.push((JSON.parse(body) as { params: unknown }).params),
  });
  const { slot } = await das.withMeta.getAssetsByOwner({ ownerAddress: nftOwner, limit: 1 });
  await das.getAssets({ ids: [nft] });
  await das.getTokenSupply(mint);
  expect(sent.slice(1)).toEqual([{ ids: [nft], minContextSlot: slot }, [mint]]);
});

test("shares addresses with the main client, and repeats no key", async () => {
  const main = createClient({ url: `${world.url}/das/${demoKey}` });
  expect(await main.getTokenSupply(mint)).toMatchObject({ value: { decimals: 6 } });
  expect(() => createDasClient({ url: "localhost/das/secret-key" })).toThrow(/^(?!.*secret-key)/u);
});
