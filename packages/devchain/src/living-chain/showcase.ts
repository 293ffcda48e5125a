import { encodeAddress } from "@lamplight/codecs";
import type { ChainWorld } from "../chain-world/chain-world.ts";
import type { Wallet } from "../chain-world/wallet.ts";

export interface ShowcaseParts {
  /** Owns one of everything in the end. */
  readonly wallet: Wallet;
  readonly artist: Wallet;
  /** A collection of MPL Core. */
  readonly collection: string;
  /** A master edition of any number of prints. */
  readonly master: string;
  /** Fungibles with 6 decimals. */
  readonly tokens: readonly string[];
}

/** More than a double holds, so that a page that rounds is seen at once. */
const LARGE_AMOUNT = 9_007_199_254_740_993n;
const SMALL_AMOUNT = 1_234_560n;
const PRINT_NUMBER = 12;

/**
 * Gives one wallet what the population lacks: Core assets with plugins, a print with a gap before its number, tokens of
 * both programs. The chain never moves these assets, and they come last, so that the addresses before them stay.
 */
export const addShowcase = (world: ChainWorld, parts: ShowcaseParts): void => {
  const { wallet, artist, collection, master, tokens } = parts;
  world.mint({
    kind: "core",
    owner: wallet,
    collection,
    name: "Signal Lamp",
    description: "A Core asset with plugins of every group.",
    attributes: { material: "brass", light: "red" },
    plugins: [
      {
        kind: "attributes",
        attributeList: [
          { key: "fuel", value: "oil" },
          { key: "height", value: "42 cm" },
        ],
      },
      {
        kind: "royalties",
        basisPoints: 750,
        creators: [{ address: artist.publicKey, percentage: 100 }],
        ruleSet: { kind: "none" },
      },
      { kind: "transferDelegate", authority: encodeAddress(artist.publicKey) },
      { kind: "verifiedCreators", signatures: [{ address: artist.publicKey, verified: true }] },
      { kind: "edition", number: 7 },
    ],
    externalPlugins: [
      {
        kind: "appData",
        dataAuthority: { kind: "updateAuthority" },
        schema: "json",
        data: '{"lit":true,"hours":12}',
      },
    ],
  });
  world.mint({
    kind: "core",
    owner: wallet,
    collection,
    name: "Sealed Lamp",
    plugins: [{ kind: "freezeDelegate", frozen: true }, { kind: "immutableMetadata" }],
  });
  world.print(master, wallet, PRINT_NUMBER);
  const [first, second] = tokens as [string, string];
  world.mintAmount(first, wallet, LARGE_AMOUNT);
  world.mintAmount(second, wallet, SMALL_AMOUNT);
};
