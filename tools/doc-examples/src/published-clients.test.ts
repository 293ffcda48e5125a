// Tests what people see who use Kit, helius-sdk or umi, unchanged: the message of a refusal, with its hint.
import { fetchOrThrow, isMethodNotFound } from "@lamplight/client";
import { demoAddresses } from "@lamplight/devchain";
import { type DasApiInterface, dasApi } from "@metaplex-foundation/digital-asset-standard-api";
import { publicKey } from "@metaplex-foundation/umi";
import { createUmi } from "@metaplex-foundation/umi-bundle-defaults";
import { type Address, createSolanaRpc } from "@solana/kit";
import { Connection, PublicKey } from "@solana/web3.js";
import { createHelius } from "helius-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoServer, startDemoServer } from "../../codegen/src/examples/demo-server.ts";

let server: DemoServer;
let url: string;
beforeAll(async () => {
  server = await startDemoServer();
  url = `${server.url}/v3/demo`;
});
afterAll(() => server.stop());

const { mint, missing, nft, nftOwner } = demoAddresses;

const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: unknown) => (error as Error).message,
  );

/** A missing account, as Kit reads it. */
const askKit = (address: string) =>
  createSolanaRpc(address)
    .getAccountInfo(missing as Address, { encoding: "base64" })
    .send();

describe("Kit", () => {
  test("shows a hint", async () => {
    const config = { commitment: "finalised", encoding: "base64" } as never;
    const call = createSolanaRpc(url).getAccountInfo(mint as Address, config);
    expect(await messageOf(call.send())).toContain("did you mean finalized?");
  });

  test("gets the form that it needs for a missing account, unless the URL asks for the other", async () => {
    expect(await askKit(url)).toMatchObject({ value: null });
    expect(await askKit(`${url}?profile=agave`)).toMatchObject({ value: null });
    expect(await askKit(`${url}?profile=spec`)).toBeNull();
  });
});

test("web3.js gets the form that it needs for a missing account", async () => {
  for (const address of [url, `${url}?profile=agave`])
    expect(await new Connection(address).getAccountInfo(new PublicKey(missing))).toBeNull();
});

describe("helius-sdk", () => {
  test("shows what to use in place of a method, which then answers", async () => {
    const helius = createHelius({ apiKey: "", baseUrl: url });
    const message = await messageOf(helius.getAssetsByOwner({ ownerAddress: nftOwner, page: 1 }));
    expect(message).toContain("use searchAssets with ownerAddress");
    const { items } = await helius.searchAssets({ ownerAddress: nftOwner, page: 1 });
    expect(items.length).toBeGreaterThan(1);
  });

  test.each([
    ["showSystemMetadata", "answers have no system metadata"],
    ["showClosedAccounts", "closed token accounts are not stored"],
    ["requireFullIndex", "every answer comes from the full index"],
    ["showRawData", "getAccountInfo answers the data of an account"],
  ])("shows what to do about %s", async (name, hint) => {
    const helius = createHelius({ apiKey: "", baseUrl: url });
    const options = { [name]: true } as object;
    expect(await messageOf(helius.searchAssets({ ownerAddress: nftOwner, page: 1, options }))).toContain(
      hint,
    );
    expect(await messageOf(helius.getAsset({ id: nft, options }))).toContain(hint);
    expect(await helius.getAsset({ id: nft })).toMatchObject({ id: nft });
  });

  test("shows what to do about notSelector", async () => {
    const helius = createHelius({ apiKey: "", baseUrl: url });
    const search = { ownerAddress: nftOwner, page: 1, notSelector: { collections: [nft] } };
    expect(await messageOf(helius.searchAssets(search))).toContain("skip such assets in the answer");
  });
});

/** The plugin extends a type of umi by a path that the compiler does not find from here. */
const dasOf = (options: object = {}): DasApiInterface => createUmi(url, options).use(dasApi()).rpc as never;

describe("umi", () => {
  const owner = publicKey(nftOwner);

  test("answers what it asks for", async () => {
    const { items } = await dasOf().searchAssets({ owner, limit: 2 });
    expect(items).toHaveLength(2);
  });

  test("drops every refusal by itself, and throws it with the fetch of the client", async () => {
    expect(await messageOf(dasOf().getAssetsByOwner({ owner }))).toContain("No assets found for owner");
    const das = dasOf({ fetch: fetchOrThrow });
    expect(await messageOf(das.getAssetsByOwner({ owner }))).toBe(
      "Method not found; use searchAssets with ownerAddress",
    );
    expect(isMethodNotFound(await das.getAssetsByOwner({ owner }).catch((error: unknown) => error))).toBe(
      true,
    );
    expect((await das.searchAssets({ owner })).items.length).toBeGreaterThan(0);
  });
});
