import { encodeAddress, sysvarAddresses } from "@lamplight/codecs";
import { type ChainCounts, type ChainOptions } from "./chain-options.ts";
import { type ChainBatch, generateChain } from "./generate-chain.ts";
import { printMint } from "./parts/editions.ts";
import { nftOf } from "./parts/nfts.ts";
import { World } from "./world.ts";

const demoCounts: ChainCounts = {
  wallets: 400,
  fungibleMints: 20,
  tokenAccounts: 900,
  nativeTokenAccounts: 40,
  delegates: 12,
  collections: 4,
  nfts: 120,
  masterEditions: 3,
  printsOfFirst: 24,
  stakeAccounts: 48,
  voteAccounts: 6,
  others: 36,
};

/** The chain of `npm start`, of the contract's examples and of the transcripts. */
export const demoOptions: ChainOptions = { seed: 20_260_101, counts: demoCounts, accountsPerSlot: 500 };

export const demoChain = (): Generator<ChainBatch> => generateChain(demoOptions);

const world = new World(demoOptions);
const text = encodeAddress;
const firstNft = nftOf(world, 0);

/** Base58 addresses of the demo chain for examples. They stay the same from version to version. */
export const demoAddresses = {
  /** A fungible mint of the classic token program, 6 decimals, with metadata. */
  mint: text(world.address("mint", 0)),
  /** Its largest holding, delegated to `delegate`. */
  tokenAccount: text(world.address("tokenAccount", 0)),
  /** The busiest delegate. */
  delegate: text(world.address("delegate", 0)),
  interestBearingMint: text(world.address("mint", 2)),
  transferFeeMint: text(world.address("mint", 3)),
  /** A Token-2022 mint that carries its own metadata. */
  metadataExtensionMint: text(world.address("mint", 4)),
  /** A mint without any metadata. */
  bareMint: text(world.address("mint", 5)),
  wallet: text(world.address("wallet", 0)),
  /** An NFT of the verified collection `collection`, owned by `nftOwner`. */
  nft: text(firstNft.mint),
  nftOwner: text(firstNft.tokenOwner),
  nftCreator: text(firstNft.metadata.updateAuthority),
  programmableNft: text(world.address("nft", 1)),
  /** Claims to belong to `collection`, which never confirmed it. */
  unverifiedNft: text(world.address("nft", 2)),
  token2022Nft: text(world.address("nft", 3)),
  burntNft: text(world.address("nft", 4)),
  soldNft: text(world.address("nft", 5)),
  collection: text(world.address("collection", 0)),
  /** Mint of a master edition with 23 prints: numbers 1 to 24 without 3. */
  masterEditionMint: text(world.address("masterEdition", 0)),
  /** Mint of its print number 1. */
  printMint: text(printMint(world, 0, 1)),
  /** A stake account whose lockup is in force. */
  lockedStake: text(world.address("stake", 0)),
  vote: text(world.address("vote", 0)),
  nonce: text(world.address("other", 0)),
  clock: text(sysvarAddresses.clock),
  /** An address without an account. */
  missing: text(world.address("other", 1_000_000)),
} as const;
