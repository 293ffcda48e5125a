import { assetKinds, Random } from "@lamplight/devchain";
import { describe, expect, test } from "vitest";
import { createTestChain, isLamplightError, type TestAsset, type TestChain } from "./index.ts";

/** `LAMPLIGHT_WORLDS=1000` tries so many. */
const worlds = Number(process.env["LAMPLIGHT_WORLDS"] ?? 4);
const OPERATIONS = 60;
const names = ["alice", "bob", "carol"] as const;

type Document = Awaited<ReturnType<TestChain["client"]["getAsset"]>>;

const makeWorld = async (chain: TestChain, random: Random): Promise<readonly TestAsset[]> => {
  const assets = [
    await chain.collection({ name: "Core" }),
    await chain.collection({ name: "Nft", kind: "nft" }),
  ];
  const some = (): TestAsset => assets[random.below(assets.length)]!;
  const wallet = () => chain.wallet(random.pick(names));
  const steps: readonly [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
    async () => assets.push(await chain.mint(randomMint())),
    async () => assets.push(await chain.mint(randomMint())),
    () => some().transfer(wallet()),
    () => some().delegate(wallet()),
    () => some().revoke(),
    () => some().freeze(),
    () => some().burn(),
    () => some().verifyCreator(chain.wallet("artist")),
    () => some().update({ name: `Name ${random.below(9)}`, sellerFeeBasisPoints: random.below(3) * 100 }),
    () => some().setCollection(some()),
    () => some().unverifyCollection(),
    () => some().decompress(),
  ];
  const randomMint = () => ({
    kind: random.pick(assetKinds),
    owner: wallet(),
    name: `Name ${random.below(9)}`,
    creators: [{ address: chain.wallet("artist"), share: 100, verified: random.percent(50) }],
    sellerFeeBasisPoints: random.below(3) * 100,
    ...(random.percent(50) ? { collection: assets[random.below(2)]! } : {}),
  });
  for (let step = 0; step < OPERATIONS; step += 1) {
    await random
      .pick(steps)()
      .catch((error: unknown) => {
        if (!isLamplightError(error, "CHAIN__INVALID_INPUT")) throw error;
      });
  }
  return assets;
};

type Search = readonly [params: object, matches: (document: Document) => boolean];

const searchesOf = (chain: TestChain, assets: readonly TestAsset[]): readonly Search[] => {
  const artist = chain.wallet("artist").address;
  const groups = assets.slice(0, 2).map(({ id }) => id);
  return [
    [{}, () => true],
    ...names.flatMap((name): Search[] => {
      const { address } = chain.wallet(name);
      return [
        [
          { ownerAddress: address, ownerType: "single" },
          ({ ownership }) => ownership.owner === address && ownership.ownership_model === "single",
        ],
        [
          { ownerAddress: address, ownerType: "single", name: "name 3" },
          ({ ownership, content }) =>
            ownership.owner === address &&
            ownership.ownership_model === "single" &&
            content.metadata.name.toLowerCase().includes("name 3"),
        ],
        [{ delegateAddress: address }, ({ ownership }) => ownership.delegate === address],
      ];
    }),
    [
      { creatorAddress: artist },
      ({ creators }) => creators?.some(({ address }) => address === artist) ?? false,
    ],
    [
      { creatorAddress: artist, creatorVerified: true },
      ({ creators }) => creators?.some(({ address, verified }) => address === artist && verified) ?? false,
    ],
    ...groups.map((group): Search => [
      { grouping: ["collection", group] },
      ({ grouping }) => grouping?.some(({ group_value }) => group_value === group) ?? false,
    ]),
    ...[true, false].flatMap((value): Search[] => [
      [{ burnt: value }, ({ burnt }) => burnt === value],
      [{ frozen: value }, ({ ownership }) => ownership.frozen === value],
      [{ compressed: value }, ({ compression }) => compression.compressed === value],
    ]),
    ...[0, 100, 200, 500].map((points): Search => [
      { royaltyAmount: points },
      ({ royalty }) => Number(royalty?.basis_points) === points,
    ]),
    ...["V1_NFT", "ProgrammableNFT", "MplCoreAsset", "MplCoreCollection", "FungibleToken"].map(
      (one): Search => [{ interface: one }, (document) => document.interface === one],
    ),
    [
      { burnt: false, compressed: true, negate: true },
      ({ burnt, compression }) => !(!burnt && compression.compressed),
    ],
    [
      { frozen: true, burnt: true, conditionType: "any" },
      ({ ownership, burnt }) => ownership.frozen || burnt,
    ],
  ];
};

describe("every search", () => {
  test.each(Array.from({ length: worlds }, (_, index) => index + 1))(
    "equals a filter over the documents, world %i",
    async (seed) => {
      await using chain = await createTestChain({ seed });
      const assets = await makeWorld(chain, new Random(seed, 7, 7));
      const documents: Document[] = [];
      for (const { id } of assets) documents.push(await chain.client.getAsset(id));
      for (const [params, matches] of searchesOf(chain, assets)) {
        const wanted = documents.filter(matches).map(({ id }) => id);
        const { total, items } = await chain.client.searchAssets({ ...params, limit: 1000 } as never);
        const question = JSON.stringify(params);
        expect([question, total, items.map(({ id }) => id).toSorted()]).toEqual([
          question,
          wanted.length,
          wanted.toSorted(),
        ]);
      }
    },
  );
});
