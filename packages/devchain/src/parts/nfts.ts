import { documentUri } from "./document.ts";
import { programAddresses } from "@lamplight/codecs";
import { type Draft, draftOf, tombstoneOf } from "../draft.ts";
import { encodeMint } from "../encode/token.ts";
import { emptiedMetadata } from "../encode/token-metadata.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";
import { holdingOf, type Nft, nftAccounts } from "./nft.ts";

type Flavour = {
  readonly standard: Nft["standard"];
  readonly collection: "verified" | "unverified" | "none";
  readonly fate?: "burnt" | "sold";
};

const verified = "verified";
/** NFT n has flavour n modulo this list, so that even a small chain holds each kind. */
const flavours: readonly [Flavour, ...Flavour[]] = [
  { standard: "plain", collection: verified },
  { standard: "programmable", collection: verified },
  { standard: "plain", collection: "unverified" },
  { standard: "extension", collection: "none" },
  { standard: "plain", collection: verified, fate: "burnt" },
  { standard: "plain", collection: verified, fate: "sold" },
  { standard: "old", collection: "none" },
  { standard: "programmable", collection: verified },
  { standard: "plain", collection: verified },
  { standard: "plain", collection: verified },
  { standard: "plain", collection: "none" },
  { standard: "programmable", collection: verified, fate: "sold" },
  { standard: "plain", collection: verified },
  { standard: "plain", collection: verified },
  { standard: "old", collection: verified },
  { standard: "plain", collection: verified },
  { standard: "programmable", collection: verified },
  { standard: "plain", collection: verified },
  { standard: "plain", collection: "unverified" },
  { standard: "plain", collection: verified },
];
const flavourOf = (index: number): Flavour => flavours[index % flavours.length] ?? flavours[0];

const words: readonly [string, ...string[]] = [
  "Lantern",
  "Moth",
  "Harbour",
  "Firefly",
  "Comet",
  "Aurora",
  "Spark",
];

/** Collections: NFTs themselves, whose metadata says how many members they have. */
export function* collectionAccounts(world: World): Generator<Draft> {
  for (let index = 0; index < world.counts.collections; index += 1) {
    const random = world.random("collection", index);
    const authority = world.address("authority", 1000 + index);
    yield* nftAccounts(world, {
      mint: world.address("collection", index),
      tokenAccount: world.address("nftTokenAccount", 0x4000_0000 + index),
      tokenOwner: authority,
      delegate: null,
      standard: "plain",
      edition: null,
      metadata: {
        updateAuthority: authority,
        name: `${wordOf(index)}s`,
        symbol: symbolOf(index),
        uri: documentUri(`collection ${index}`),
        basisPoints: random.between(0, 10) * 100,
        creators: [{ address: authority, verified: true, share: 100 }],
        primarySaleHappened: true,
        mutable: true,
        collection: null,
        uses: null,
        collectionSize: BigInt(world.counts.nfts),
      },
    });
  }
}

/** NFTs as minted. */
export function* allNftAccounts(world: World): Generator<Draft> {
  for (let index = 0; index < world.counts.nfts; index += 1) yield* nftAccounts(world, nftOf(world, index));
}

/** Later changes of some NFTs: sold ones moved to another token account, burnt ones left a mint without supply. */
export function* changedNfts(world: World): Generator<Draft> {
  for (let index = 0; index < world.counts.nfts; index += 1) {
    const { fate } = flavourOf(index);
    if (fate === undefined) continue;
    const nft = nftOf(world, index);
    yield tombstoneOf(nft.tokenAccount);
    if (fate === "sold") {
      const buyer = world.someWallet(world.random("change", index));
      yield holdingOf(nft, world.address("laterTokenAccount", index), buyer, 1n, null);
    } else {
      const { address: edition } = world.editionAddress(nft.mint);
      const mint = { mintAuthority: edition, supply: 0n, decimals: 0, freezeAuthority: edition };
      yield draftOf(nft.mint, programAddresses.token, encodeMint(mint));
      yield draftOf(world.metadataAddress(nft.mint).address, programAddresses.tokenMetadata, emptiedMetadata);
      yield tombstoneOf(edition);
    }
  }
}

/** Properties of one NFT; the same whenever it is asked for. */
export const nftOf = (world: World, index: number): Nft => {
  const random = world.random("nft", index);
  const flavour = flavourOf(index);
  const inCollection = flavour.collection !== "none";
  const collection = index < flavours.length ? 0 : random.rank(world.counts.collections);
  const authority = world.address("authority", inCollection ? 1000 + collection : 500_000 + (index % 50));
  return {
    mint: world.address("nft", index),
    tokenAccount: world.address("nftTokenAccount", index),
    tokenOwner: world.someWallet(random),
    delegate: index === 1 || random.percent(10) ? world.someDelegate(random) : null,
    standard: flavour.standard,
    edition: null,
    metadata: {
      updateAuthority: authority,
      name: `${wordOf(inCollection ? collection : index)} #${index}`,
      symbol: symbolOf(collection),
      uri: documentUri(`nft ${index}`),
      basisPoints: random.pick([0, 250, 420, 500, 500, 750, 1000]),
      creators: creatorsOf(world, random, authority),
      primarySaleHappened: random.percent(80),
      mutable: random.percent(90),
      collection: inCollection
        ? { address: world.address("collection", collection), verified: flavour.collection === verified }
        : null,
      uses: index % 200 === 9 ? { method: 1, remaining: 3n, total: 5n } : null,
      collectionSize: null,
    },
  };
};

/** One to four creators; the shares of those who get any sum to 100. */
const creatorsOf = (world: World, random: Random, authority: Uint8Array): MetadataCreators => {
  const partners = random.below(3);
  const partnerShare = partners === 0 ? 0 : random.between(5, 40);
  const creators = [{ address: authority, verified: true, share: 100 - partners * partnerShare }];
  for (let partner = 0; partner < partners; partner += 1) {
    const address = world.address("creator", random.rank(world.counts.collections) * 3 + partner);
    creators.push({ address, verified: random.percent(60), share: partnerShare });
  }
  return creators;
};
type MetadataCreators = Nft["metadata"]["creators"];

const wordOf = (index: number): string => words[index % words.length] ?? words[0];
const symbolOf = (index: number): string => wordOf(index).slice(0, 4).toUpperCase();
