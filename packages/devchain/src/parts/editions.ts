import { documentUri } from "./document.ts";
import { programAddresses } from "@lamplight/codecs";
import { type Draft, draftOf } from "../draft.ts";
import { encodeEdition, encodeEditionMarker, encodeMasterEdition } from "../encode/token-metadata.ts";
import { editionSeed, markerSeed, type World } from "../world.ts";
import { type Nft, nftAccounts } from "./nft.ts";

/** Print numbers that one marker account covers. */
const NUMBERS_PER_MARKER = 248;
/** Prints of one master never come near this; it spaces their indexes. */
const PRINTS_LIMIT = 65_536;

/** Every master edition with its prints; of each master with more than three, number 3 was burnt: a gap. */
export function* masterEditionAccounts(world: World): Generator<Draft> {
  for (let master = 0; master < world.counts.masterEditions; master += 1) {
    const numbers = printNumbers(world, master);
    const mint = world.address("masterEdition", master);
    const parent = world.editionAddress(mint).address;
    const supply = BigInt(numbers.length);
    const maxSupply = master % 2 === 0 ? BigInt(printsOf(world, master)) + 10n : null;
    yield* nftAccounts(world, {
      ...printBase(world, master, "masterEdition", master),
      mint,
      standard: "plain",
      edition: encodeMasterEdition(supply, maxSupply, false),
    });
    for (const number of numbers) {
      const index = master * PRINTS_LIMIT + number;
      yield* nftAccounts(world, {
        ...printBase(world, master, "print", index),
        mint: world.address("print", index),
        standard: "print",
        edition: encodeEdition(parent, BigInt(number)),
      });
    }
    yield* markerAccounts(world, mint, numbers);
  }
}

/** The mint of a print. */
export const printMint = (world: World, master: number, number: number): Uint8Array =>
  world.address("print", master * PRINTS_LIMIT + number);

const printsOf = (world: World, master: number): number =>
  Math.min(PRINTS_LIMIT - 1, Math.floor(world.counts.printsOfFirst / (master + 1)));

const printNumbers = (world: World, master: number): readonly number[] => {
  const count = printsOf(world, master);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return count > 3 ? numbers.filter((number) => number !== 3) : numbers;
};

const printBase = (
  world: World,
  master: number,
  stream: "masterEdition" | "print",
  index: number,
): Omit<Nft, "mint" | "standard" | "edition"> => {
  const random = world.random(stream, index);
  const artist = world.address("creator", 900_000 + master);
  return {
    // The upper half of the stream: mints take the lower.
    tokenAccount: world.address(stream, 0x8000_0000 + index),
    tokenOwner: stream === "masterEdition" ? artist : world.someWallet(random),
    delegate: null,
    metadata: {
      updateAuthority: artist,
      name: `Nightwork ${master}`,
      symbol: "NIGHT",
      uri: documentUri(`print ${master}`),
      basisPoints: 500,
      creators: [{ address: artist, verified: true, share: 100 }],
      primarySaleHappened: stream === "print",
      mutable: true,
      collection: null,
      uses: null,
      collectionSize: null,
    },
  };
};

function* markerAccounts(world: World, mint: Uint8Array, numbers: readonly number[]): Generator<Draft> {
  const last = numbers.at(-1) ?? -1;
  for (let marker = 0; marker * NUMBERS_PER_MARKER <= last; marker += 1) {
    const inside = numbers.filter((number) => Math.floor(number / NUMBERS_PER_MARKER) === marker);
    const { address } = world.metadataAddress(mint, editionSeed, markerSeed(marker));
    yield draftOf(address, programAddresses.tokenMetadata, encodeEditionMarker(inside));
  }
}
