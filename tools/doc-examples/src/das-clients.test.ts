// Sends every DAS method with the clients that people use, unchanged, to the sample chain, and reads the typed answers.
import { fetchOrThrow } from "@lamplight/client";
import { demoAddresses } from "@lamplight/devchain";
import { type DasApiInterface, dasApi } from "@metaplex-foundation/digital-asset-standard-api";
import { publicKey } from "@metaplex-foundation/umi";
import { createUmi } from "@metaplex-foundation/umi-bundle-defaults";
import { Connection, PublicKey } from "@solana/web3.js";
import { createHelius } from "helius-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DemoServer, startDemoServer } from "../../codegen/src/examples/demo-server.ts";

let server: DemoServer;
let url: string;
beforeAll(async () => {
  server = await startDemoServer();
  url = `${server.url}/das/demo`;
});
afterAll(() => server.stop());

const { burntNft, collection, masterEditionMint, mint, missing, nft, nftCreator, nftOwner, unverifiedNft } =
  demoAddresses;

const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "answered",
    (error: unknown) => (error as Error).message,
  );

/** The plugin extends a type of umi by a path that the compiler does not find from here. */
const umi = (options: { readonly heliusCompatibility?: boolean } = {}): DasApiInterface =>
  createUmi(url, { fetch: fetchOrThrow } as object).use(dasApi(options)).rpc as never;

const helius = () => createHelius({ apiKey: "", baseUrl: url });

const asc = { sortBy: "id", sortDirection: "asc" } as const;

interface Holder {
  readonly mint: string;
  readonly amount: number;
}

interface Owned {
  readonly ownership: { readonly owner: string };
}

const isFungible = ({ interface: kind }: { readonly interface: string }): boolean =>
  kind.startsWith("Fungible");

interface Page {
  readonly total: number;
  readonly items: readonly { readonly id: string }[];
}
const idsOf = ({ items }: Page): readonly string[] => items.map(({ id }) => id);

describe("umi's DAS plugin", () => {
  test("reads one asset and several, with every display option", async () => {
    const asset = await umi().getAsset(publicKey(nft));
    expect(asset).toMatchObject({ id: nft, interface: "V1_NFT", ownership: { owner: nftOwner } });
    const displayOptions = {
      showFungible: true,
      showUnverifiedCollections: true,
      showCollectionMetadata: true,
      showInscription: true,
    };
    const shown = await umi().getAsset({ assetId: publicKey(nft), displayOptions });
    expect(shown.grouping).toMatchObject([
      { group_key: "collection", group_value: collection, verified: true, collection_metadata: {} },
    ]);
    const unverified = { assetId: publicKey(unverifiedNft), displayOptions };
    expect((await umi().getAsset(unverified)).grouping).toMatchObject([{ verified: false }]);
    const assetIds = [publicKey(nft), publicKey(missing), publicKey(mint), publicKey(nft)];
    const assets = await umi().getAssets(assetIds);
    expect(assets.map((one) => one?.id ?? null)).toEqual([nft, null, mint, nft]);
    const both = await umi().getAssets({ assetIds, displayOptions });
    expect(both[0]).toEqual(shown);
    expect(both[2]).toHaveProperty("token_info.decimals", 6);
    expect(await messageOf(umi().getAsset(publicKey(missing)))).toBe("Asset Not Found");
  });

  test("lists by owner, creator, authority and group, page by page in each way", async () => {
    const owner = publicKey(nftOwner);
    const all = await umi().getAssetsByOwner({ owner, sortBy: asc });
    expect(all).toMatchObject({ total: all.items.length, limit: 1000, page: 1 });
    expect(all.items.every((asset) => asset.ownership.owner === nftOwner)).toBe(true);
    const ids = idsOf(all);
    expect(ids.length).toBeGreaterThan(2);
    const first = await umi().getAssetsByOwner({ owner, sortBy: asc, limit: 1 });
    expect(first).toMatchObject({ total: ids.length, limit: 1, page: 1, cursor: expect.any(String) });
    const next = { owner, sortBy: asc, limit: 1 };
    const cursor = first["cursor"] as string;
    for (const start of [{ page: 2 }, { cursor }, { after: ids[0]! }, { before: ids[2]! }])
      expect(idsOf(await umi().getAssetsByOwner({ ...next, ...start }))).toEqual([ids[1]]);
    const creator = publicKey(nftCreator);
    const named = await umi().getAssetsByCreator({ creator, onlyVerified: false });
    const signed = await umi().getAssetsByCreator({ creator, onlyVerified: true });
    expect(signed.total).toBeGreaterThan(0);
    expect(named.total).toBeGreaterThanOrEqual(signed.total);
    for (const { creators } of signed.items)
      expect(creators).toContainEqual(expect.objectContaining({ address: nftCreator, verified: true }));
    const held = await umi().getAssetsByAuthority({ authority: creator, limit: 5 });
    expect(held.items.map(({ authorities }) => authorities[0]!.address)).toEqual(
      held.items.map(() => nftCreator),
    );
    const group = { groupKey: "collection", groupValue: collection } as const;
    const members = await umi().getAssetsByGroup({ ...group, limit: 1000 });
    expect(members.total).toBe(members.items.length);
    expect(idsOf(members)).toContain(nft);
    expect(idsOf(members)).not.toContain(unverifiedNft);
    const displayOptions = { showUnverifiedCollections: true };
    expect(idsOf(await umi().getAssetsByGroup({ ...group, displayOptions }))).toContain(unverifiedNft);
    const grouping = await umi().getGrouping(group);
    expect(grouping).toEqual({
      group_key: "collection",
      group_name: (await umi().getAsset(publicKey(collection))).content.metadata.name,
      group_size: members.total,
    });
    expect(grouping.group_name).not.toBe("");
  });

  test("lists the members of a Core collection, with their plugins", async () => {
    const collections = await umi().searchAssets({ interface: "MplCoreCollection" });
    const lamps = collections.items.find(({ content }) => content.metadata.name === "Signal Lamps")!;
    const group = { groupKey: "collection", groupValue: lamps.id } as const;
    const members = await umi().getAssetsByGroup({
      ...group,
      sortBy: { sortBy: "created", sortDirection: "asc" },
    });
    const own = { interface: "MplCoreAsset", grouping: [{ group_key: "collection", group_value: lamps.id }] };
    expect(members).toMatchObject({ total: 2, items: [own, own] });
    const named = new Map(members.items.map((asset) => [asset.content.metadata.name, asset]));
    expect([...named.keys()].toSorted()).toEqual(["Sealed Lamp", "Signal Lamp"]);
    expect(named.get("Signal Lamp")).toMatchObject({
      plugins: { royalties: { data: { basis_points: 750 } }, edition: { data: { number: 7 } } },
      external_plugins: [{ type: "AppData" }],
    });
    expect(named.get("Sealed Lamp")).toMatchObject({
      plugins: { freeze_delegate: { data: { frozen: true } } },
    });
    expect(await umi().getGrouping(group)).toEqual({
      group_key: "collection",
      group_name: "Signal Lamps",
      group_size: 2,
    });
    const { total } = await umi().searchAssets({
      grouping: ["collection", lamps.id],
      interface: "MplCoreAsset",
    });
    expect(total).toBe(2);
  });

  test("sorts by every key, in both directions", async () => {
    const owner = publicKey(nftOwner);
    for (const sortBy of ["id", "created", "updated", "recent_action", "none"] as const) {
      const [up, down] = await Promise.all(
        (["asc", "desc"] as const).map(async (sortDirection) =>
          idsOf(await umi().getAssetsByOwner({ owner, sortBy: { sortBy, sortDirection } })),
        ),
      );
      expect([sortBy, down]).toEqual([sortBy, up!.toReversed()]);
      expect(up!.length).toBeGreaterThan(2);
    }
  });

  test("searches by every criterion", async () => {
    const authority = publicKey(nftCreator);
    const owner = publicKey(nftOwner);
    const asset = await umi().getAsset(publicKey(nft));
    const search = { owner, authority, creator: authority, creatorVerified: true, negate: false } as const;
    const facts = { frozen: false, compressed: false, compressible: false, burnt: false } as const;
    const found = await umi().searchAssets({
      ...search,
      ...facts,
      conditionType: "all",
      interface: "V1_NFT",
      ownerType: "single",
      grouping: ["collection", collection],
      supply: 1,
      supplyMint: publicKey(nft),
      tokenType: "NonFungible",
      royaltyModel: "creators",
      royaltyTarget: authority,
      royaltyAmount: asset.royalty.basis_points,
      jsonUri: asset.content.json_uri,
      name: asset.content.metadata.name,
      sortBy: { sortBy: "created", sortDirection: "desc" },
      limit: 10,
      page: 1,
    });
    expect(found).toMatchObject({ total: 1, limit: 10, page: 1, items: [{ id: nft }] });
    const other = await umi().searchAssets({ conditionType: "any", burnt: true, supplyMint: publicKey(nft) });
    expect(idsOf(other)).toEqual(expect.arrayContaining([nft, burntNft]));
    expect(await messageOf(umi().searchAssets({ isAgent: true }))).toContain("agents are not indexed here");
  });

  test.each([false, true])("lists prints, heliusCompatibility %s", async (heliusCompatibility) => {
    const das = umi({ heliusCompatibility });
    const list = await das.getNftEditions({ mintAddress: publicKey(masterEditionMint), limit: 3 });
    expect(list).toMatchObject({ total: 23, limit: 3, page: 1, cursor: "4" });
    expect(list.editions.map((one) => one.edition_number)).toEqual([1, 2, 4]);
    expect(list.editions[0]!.mint_address).toBe(demoAddresses.printMint);
    const rest = { mintAddress: publicKey(masterEditionMint), limit: 2, after: "4" };
    expect((await das.getNftEditions(rest)).editions.map((one) => one.edition_number)).toEqual([5, 6]);
  });

  test.each([false, true])("lists token accounts, heliusCompatibility %s", async (heliusCompatibility) => {
    const das = umi({ heliusCompatibility });
    const ownerAddress = publicKey(demoAddresses.wallet);
    const all = await das.getTokenAccounts({ ownerAddress, options: { showZeroBalance: true } });
    const { token_accounts: accounts, total, errors } = await das.getTokenAccounts({ ownerAddress });
    expect(errors).toEqual([]);
    // The plugin also sends the other spelling of options, and options that change nothing here.
    const spelled = { ownerAddress, displayOptions: { showZeroBalance: true, showFungible: true } };
    expect(await das.getTokenAccounts(spelled)).toEqual(all);
    expect(accounts).toHaveLength(total);
    expect(accounts.map(({ address }) => address)).toEqual(
      all.token_accounts.filter(({ amount }) => amount > 0).map(({ address }) => address),
    );
    expect(accounts.length).toBeGreaterThan(2);
    for (const account of accounts) {
      const { data } = (await new Connection(url).getParsedAccountInfo(new PublicKey(account.address)))
        .value!;
      expect(data).toHaveProperty("parsed.info", expect.objectContaining({ owner: demoAddresses.wallet }));
      expect(data).toHaveProperty("parsed.info.mint", account.mint);
      // umi reads amounts as doubles.
      const { parsed } = data as unknown as { parsed: { info: { tokenAmount: { amount: string } } } };
      expect(account.amount).toBe(Number(parsed.info.tokenAmount.amount));
      expect(data).toHaveProperty("parsed.info.state", account.frozen ? "frozen" : "initialized");
    }
    const [first, second, third] = accounts.map(({ address }) => address);
    const page = { ownerAddress, limit: 1 };
    const { cursor } = await das.getTokenAccounts(page);
    for (const start of [{ page: 2 }, { cursor: cursor! }, { after: first! }, { before: third! }])
      expect(await das.getTokenAccounts({ ...page, ...start })).toMatchObject({
        total,
        token_accounts: [{ address: second }],
      });
    expect((await das.getTokenAccounts({ ...page, before: first! })).token_accounts).toEqual([]);
    const mintAddress = publicKey(accounts[0]!.mint);
    const ofMint = await das.getTokenAccounts({ ownerAddress, mintAddress });
    expect(ofMint.token_accounts).toEqual(accounts.filter((one) => one.mint === accounts[0]!.mint));
  });

  test.each([false, true])(
    "lists the holders of a token, heliusCompatibility %s",
    async (heliusCompatibility) => {
      const das = umi({ heliusCompatibility });
      const mintAddress = publicKey(mint);
      const all = await das.getTokenAccounts({ mintAddress, options: { showZeroBalance: true } });
      const { token_accounts: holders, total, errors } = await das.getTokenAccounts({ mintAddress });
      expect([holders.length, errors]).toEqual([total, []]);
      expect(holders).toEqual(all.token_accounts.filter(({ amount }) => amount > 0));
      expect(new Set(holders.map((one) => one.owner)).size).toBeGreaterThan(2);
      expect(holders.every((one) => one.mint === mint)).toBe(true);
      const [first, second, third] = holders.map(({ address }) => address);
      const page = { mintAddress, limit: 1 };
      const { cursor } = await das.getTokenAccounts(page);
      for (const start of [{ page: 2 }, { cursor: cursor! }, { after: first! }, { before: third! }])
        expect(await das.getTokenAccounts({ ...page, ...start })).toMatchObject({
          total,
          token_accounts: [{ address: second }],
        });
    },
  );

  test("shows why an asset has no proof, and why signatures are not answered", async () => {
    const id = publicKey(nft);
    expect(await messageOf(umi().getAssetProof(id))).toContain("an asset that is not compressed");
    expect(await umi().getAssetProofs([id])).toEqual({ [id]: null });
    expect(await messageOf(umi().getAssetSignatures({ assetId: id }))).toContain("keeps no history");
  });
});

describe("helius-sdk", () => {
  test("reads the same answers by its own names", async () => {
    const asset = await helius().getAsset({ id: nft, options: { showCollectionMetadata: true } });
    expect(asset).toMatchObject({ id: nft, ownership: { owner: nftOwner } });
    const batch = await helius().getAssetBatch({ ids: [nft, mint] });
    expect(batch.map((one: { readonly id: string }) => one.id)).toEqual([nft, mint]);
    const owned = await helius().getAssetsByOwner({ ownerAddress: nftOwner, page: 1 });
    expect(owned).toMatchObject({ total: owned.items.length, page: 1 });
    const displayOptions = { showNativeBalance: true, showGrandTotal: true };
    const all = await helius().getAssetsByOwner({ ownerAddress: nftOwner, displayOptions });
    expect(all).toMatchObject({ grand_total: owned.total, nativeBalance: { lamports: expect.any(Number) } });
    const { total } = await helius().getAssetsByGroup({
      groupKey: "collection",
      groupValue: collection,
      page: 1,
    });
    expect(total).toBeGreaterThan(1);
    const creatorAddress = nftCreator;
    const made = await helius().getAssetsByCreator({ creatorAddress, onlyVerified: true, page: 1 });
    expect(made.total).toBeGreaterThan(0);
    const ruled = await helius().getAssetsByAuthority({ authorityAddress: nftCreator, page: 1 });
    expect(ruled.items[0]).toMatchObject({ authorities: [{ address: nftCreator }] });
    const held = await helius().getTokenAccounts({ owner: demoAddresses.wallet, limit: 2, page: 1 });
    expect(held).toMatchObject({ limit: 2, page: 1, token_accounts: [{}, { owner: demoAddresses.wallet }] });
    const everyHolder = { mint, limit: 1000, displayOptions: { showZeroBalance: true } };
    const holders = await helius().getTokenAccounts(everyHolder);
    expect(holders.token_accounts).toHaveLength(holders.total!);
    expect(holders.token_accounts!.every((one: Holder) => one.mint === mint)).toBe(true);
    const sorted = { mint, limit: 3, sortBy: { sortBy: "amount" } };
    const { token_accounts: largest } = await helius().getTokenAccounts(sorted);
    const amounts = holders
      .token_accounts!.map(({ amount }: Holder) => amount)
      .toSorted((a: number, b: number) => b - a);
    expect(largest!.map(({ amount }: Holder) => amount)).toEqual(amounts.slice(0, 3));
    const editions = await helius().getNftEditions({ mint: masterEditionMint, limit: 2 });
    expect(editions.editions).toMatchObject([{ edition: 1 }, { edition: 2 }]);
  });

  test("gets fungible tokens where it asks for them, and nowhere else", async () => {
    const ownerAddress = demoAddresses.wallet;
    const plain = await helius().getAssetsByOwner({ ownerAddress });
    expect(plain.items.some(isFungible)).toBe(false);
    const displayOptions = { showFungible: true };
    const { items } = await helius().getAssetsByOwner({ ownerAddress, displayOptions });
    expect(items.find(isFungible)).toHaveProperty("token_info.balance");
    expect(items.every((one: Owned) => one.ownership.owner === ownerAddress)).toBe(true);
    expect((await helius().searchAssets({ ownerAddress })).items.some(isFungible)).toBe(false);
    const fungible = await helius().searchAssets({ ownerAddress, tokenType: "fungible" as never });
    expect(fungible.items.length).toBeGreaterThan(0);
    expect(fungible.items.every(isFungible)).toBe(true);
    expect(fungible.items.every((one: Owned) => one.ownership.owner === ownerAddress)).toBe(true);
    // No list of what the wallet holds: tokens of others are found, too.
    const id = demoAddresses.bareMint;
    expect(await helius().getAsset({ id })).toHaveProperty("ownership.owner", "");
    const others = { supplyMint: mint, ownerAddress: missing, conditionType: "any", negate: false } as const;
    const { items: found } = await helius().searchAssets(others as never);
    expect(found).toMatchObject([{ id: mint, ownership: { owner: "" } }]);
  });
});

test("web3.js reads accounts at the same URL", async () => {
  expect(await new Connection(url).getAccountInfo(new PublicKey(missing))).toBeNull();
  expect((await new Connection(url).getTokenSupply(new PublicKey(mint))).value.decimals).toBe(6);
});
