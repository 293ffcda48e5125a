import { type AssetKind, assetKinds } from "@lamplight/devchain";
import { describe, expect, test } from "vitest";
import { createTestChain, type TestAsset, type TestChain } from "./index.ts";

const collectionKinds = {
  nft: "nft",
  "programmable-nft": "nft",
  core: "core",
  "token-2022": "token-2022",
  compressed: "nft",
  "compressed-v2": "core",
  fungible: "nft",
} as const;

interface Case {
  readonly chain: TestChain;
  readonly asset: TestAsset;
  /** A fungible names whose holding is checked, and how much. */
  readonly from: (name: string, amount?: bigint) => object;
}

const creator = "authority";
const mintCase = async (chain: TestChain, kind: AssetKind): Promise<Case> => {
  const asset = await chain.mint({
    kind,
    owner: chain.wallet("alice"),
    name: "Before",
    creators: [
      { address: chain.wallet(creator), share: 60, verified: false },
      { address: chain.wallet("other"), share: 40 },
    ],
    ...(kind === "fungible" ? { supply: 100n } : {}),
    ...(kind === "nft" ? { maxSupply: 2 } : {}),
  });
  const from = (name: string, amount?: bigint): object =>
    kind === "fungible" ? { from: chain.wallet(name), ...(amount === undefined ? {} : { amount }) } : {};
  return { chain, asset, from };
};

/** The state that is read after each operation. */
const read = async ({ chain, asset }: Case) => {
  const document = await chain.client.getAsset(asset.id, {
    showFungible: true,
    showInscription: true,
    showUnverifiedCollections: true,
  });
  const held = async (name: string): Promise<boolean> => {
    const ownerAddress = chain.wallet(name).address;
    const { items } = await chain.client.searchAssets({ ownerAddress });
    return items.some(({ id }) => id === asset.id);
  };
  return { document, alice: await held("alice"), bob: await held("bob") };
};

const none = "refused";

/** By operation: what it does, and what is true of the answers then. `refused` lists the kinds that do not have it. */
const operations: {
  readonly [name: string]: {
    readonly act: (one: Case, kind: AssetKind) => Promise<unknown>;
    readonly check: (after: Awaited<ReturnType<typeof read>>, one: Case, kind: AssetKind) => unknown;
    readonly [none]: readonly AssetKind[];
  };
} = {
  transfer: {
    act: ({ asset, chain, from }) => asset.transfer(chain.wallet("bob"), from("alice", 100n)),
    check: ({ alice, bob }) => expect([alice, bob]).toEqual([false, true]),
    refused: [],
  },
  delegate: {
    act: ({ asset, chain, from }) => asset.delegate(chain.wallet("bob"), from("alice")),
    check: async ({ document }, { chain }, kind) => {
      const delegate = chain.wallet("bob").address;
      if (kind !== "fungible") return expect(document.ownership.delegate).toBe(delegate);
      const mint = document.id;
      const { value } = await chain.client.getTokenAccountsByDelegate(delegate, { mint });
      return expect(value).toHaveLength(1);
    },
    refused: [],
  },
  "delegate, then revoke": {
    act: async ({ asset, chain, from }) => {
      await asset.delegate(chain.wallet("bob"), from("alice"));
      await asset.revoke(from("alice"));
    },
    check: ({ document }) =>
      expect([document.ownership.delegated, document.ownership.delegate]).toEqual([false, null]),
    refused: [],
  },
  freeze: {
    act: ({ asset, from }) => asset.freeze(from("alice")),
    check: async ({ document }, { chain }, kind) => {
      if (kind !== "fungible") return expect(document.ownership.frozen).toBe(true);
      const { total } = await chain.client.searchAssets({ frozen: true });
      return expect(total).toBe(0);
    },
    refused: ["compressed"],
  },
  "freeze, then thaw": {
    act: async ({ asset, from }) => {
      await asset.freeze(from("alice"));
      await asset.thaw(from("alice"));
    },
    // The program keeps every account of a programmable NFT frozen.
    check: ({ document }, _, kind) => expect(document.ownership.frozen).toBe(kind === "programmable-nft"),
    refused: ["compressed"],
  },
  verifyCreator: {
    act: ({ asset, chain }) => asset.verifyCreator(chain.wallet(creator)),
    check: ({ document }, { chain }) =>
      expect(document.creators).toContainEqual({
        address: chain.wallet(creator).address,
        share: 60,
        verified: true,
      }),
    refused: ["token-2022"],
  },
  "verifyCreator, then unverifyCreator": {
    act: async ({ asset, chain }) => {
      await asset.verifyCreator(chain.wallet(creator));
      await asset.unverifyCreator(chain.wallet(creator));
    },
    check: ({ document }) =>
      expect(document.creators?.map(({ verified }) => verified)).toEqual([false, false]),
    refused: ["token-2022"],
  },
  setCollection: {
    act: async ({ asset, chain }, kind) =>
      asset.setCollection(await chain.collection({ name: "Set", kind: collectionKinds[kind] })),
    check: ({ document }) => expect(document.grouping).toHaveLength(1),
    refused: ["token-2022"],
  },
  "setCollection, then unsetCollection": {
    act: async ({ asset, chain }, kind) => {
      await asset.setCollection(await chain.collection({ name: "Set", kind: collectionKinds[kind] }));
      await asset.unsetCollection();
    },
    check: ({ document }) => expect(document.grouping).toEqual([]),
    refused: ["compressed", "token-2022"],
  },
  "setCollection, then unverifyCollection": {
    act: async ({ asset, chain }, kind) => {
      await asset.setCollection(await chain.collection({ name: "Set", kind: collectionKinds[kind] }));
      await asset.unverifyCollection();
    },
    check: ({ document }) => expect(document.grouping).toMatchObject([{ verified: false }]),
    refused: ["core", "compressed-v2", "token-2022"],
  },
  update: {
    act: ({ asset }) => asset.update({ name: "After", attributes: { mood: "calm" } }),
    check: ({ document }) =>
      expect(document.content.metadata).toMatchObject({
        name: "After",
        attributes: [{ trait_type: "mood", value: "calm" }],
      }),
    refused: [],
  },
  print: {
    act: async ({ asset, chain }) => {
      await asset.print(chain.wallet("bob"));
      await asset.print(chain.wallet("carol"));
    },
    check: async (_, { chain, asset }) => {
      const { editions } = await chain.client.getNftEditions({ mint: asset.id });
      return expect(editions.map(({ edition }) => Number(edition))).toEqual([1, 2]);
    },
    refused: ["programmable-nft", "core", "token-2022", "compressed", "compressed-v2", "fungible"],
  },
  burn: {
    act: ({ asset, from }) => asset.burn(from("alice", 40n)),
    check: ({ document, alice }, _, kind) => {
      if (kind === "fungible") return expect(document.token_info?.supply).toBe(60n);
      // A burnt compressed or Core asset keeps its last owner.
      const keepsOwner = ["core", "compressed", "compressed-v2"].includes(kind);
      return expect([document.burnt, alice]).toEqual([true, keepsOwner]);
    },
    refused: [],
  },
  "transfer, then close": {
    act: async ({ asset, chain, from }) => {
      await asset.transfer(chain.wallet("bob"), from("alice", 100n));
      await asset.close(chain.wallet("alice"));
    },
    check: async ({ bob }, { chain, asset }) => {
      const ownerAddress = chain.wallet("alice").address;
      const { items } = await chain.client.searchAssets({ ownerAddress, options: { showZeroBalance: true } });
      return expect([bob, items.some(({ id }) => id === asset.id)]).toEqual([true, false]);
    },
    // A transfer of a programmable NFT closes the account by itself.
    refused: ["programmable-nft", "core", "compressed", "compressed-v2"],
  },
  mintAmount: {
    act: ({ asset, chain }) => asset.mintAmount(chain.wallet("bob"), 11n),
    check: ({ document, bob }) => expect([document.token_info?.supply, bob]).toEqual([111n, true]),
    refused: ["nft", "programmable-nft", "core", "token-2022", "compressed", "compressed-v2"],
  },
  decompress: {
    act: ({ asset }) => asset.decompress(),
    check: ({ document, alice }) =>
      expect([document.compression.compressed, document.content.metadata.name, alice]).toEqual([
        false,
        "Before",
        true,
      ]),
    refused: ["nft", "programmable-nft", "core", "token-2022", "compressed-v2", "fungible"],
  },
  inscribe: {
    act: ({ asset }) => asset.inscribe({ content: "hello", contentType: "text/plain" }),
    check: ({ document }) =>
      expect(document.inscription).toMatchObject({ content: "text/plain", size: 5, root: document.id }),
    refused: [],
  },
};

describe.each(assetKinds)("an asset of kind %s", (kind) => {
  test.each(Object.keys(operations))("%s", async (name) => {
    await using chain = await createTestChain();
    const one = await mintCase(chain, kind);
    const { act, check, refused } = operations[name]!;
    if (refused.includes(kind)) {
      await expect(act(one, kind)).rejects.toMatchObject({ code: "CHAIN__INVALID_INPUT" });
      return;
    }
    await act(one, kind);
    await check(await read(one), one, kind);
  });

  test("shows its picture, document, royalty and owner", async () => {
    await using chain = await createTestChain();
    const one = await mintCase(chain, kind);
    const { document, alice } = await read(one);
    expect(alice).toBe(true);
    expect(document.content.links?.image).toMatch(/^data:image\/svg\+xml,%3Csvg/);
    expect(document.content.json_uri).toMatch(/^ipfs:\/\/bafkrei[a-z2-7]{52}$/);
    expect(document.content.metadata).toMatchObject({ name: "Before", description: expect.any(String) });
    expect(document.content.files).toHaveLength(1);
    expect(document.royalty?.basis_points).toBe(["token-2022", "fungible"].includes(kind) ? 0 : 500);
  });
});
