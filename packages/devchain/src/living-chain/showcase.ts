import { encodeAddress } from "@lamplight/codecs";
import type { ChainWorld } from "../chain-world/chain-world.ts";
import type { Wallet } from "../chain-world/wallet.ts";

/** More than a double holds, so that a page that rounds is seen at once. */
const LARGE_AMOUNT = 9_007_199_254_740_993n;
const SMALL_AMOUNT = 1_234_560n;
const PRINTS_MAX = 50;
const printNumbers = [1, 2, 12];

/**
 * Gives one wallet what the population lacks: Core assets with plugins, prints with a gap between their numbers, tokens
 * of both programs, a compressed asset that was burnt. They come last and have a collection of their own, so that all addresses and answers before them
 * stay. The chain never moves them.
 */
export const addShowcase = (world: ChainWorld, wallet: Wallet, artist: Wallet): void => {
  const collection = world.createCollection({
    name: "Signal Lamps",
    kind: "core",
    description: "Signal Lamps, a collection of the sample chain.",
  });
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
  const master = world.mint({ kind: "nft", owner: artist, name: "Beacon", maxSupply: PRINTS_MAX });
  for (const number of printNumbers) world.print(master, wallet, number);
  const tokens = { kind: "fungible", owner: wallet } as const;
  world.mint({ ...tokens, name: "Signal Oil", symbol: "SIG", supply: LARGE_AMOUNT });
  world.mint({ ...tokens, name: "Lens", symbol: "LENS", supply: SMALL_AMOUNT, tokenProgram: "token-2022" });
  world.burn(world.mint({ kind: "compressed", owner: wallet, name: "Spent Match" }));
};
