import type { ChainWorld } from "../chain-world/chain-world.ts";
import type { AssetKind, CollectionKind } from "../chain-world/mint-input.ts";
import type { Wallet } from "../chain-world/wallet.ts";
import { addShowcase } from "./showcase.ts";

/** A collection, with the kinds of assets that it takes. */
export interface LivingCollection {
  readonly name: string;
  /** Id of the collection; base58 text. */
  readonly collection: string;
  readonly kinds: readonly AssetKind[];
}

const walletNames = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"] as const;

const plans: readonly {
  readonly name: string;
  readonly kind: CollectionKind;
  readonly kinds: readonly AssetKind[];
}[] = [
  { name: "Harbor Lights", kind: "core", kinds: ["core", "compressed-v2"] },
  { name: "Night Trains", kind: "nft", kinds: ["nft", "programmable-nft", "compressed"] },
  { name: "Paper Boats", kind: "token-2022", kinds: ["token-2022"] },
];

const ASSETS_PER_KIND = 6;
const fungibles = [
  { name: "Lamp Oil", symbol: "OIL", tokenProgram: "token" },
  { name: "Glass Bead", symbol: "BEAD", tokenProgram: "token-2022" },
] as const;

/** Wallets, collections, some assets of every kind, an inscription, prints, two tokens, and what the explorer shows off. */
export const populate = (
  world: ChainWorld,
): {
  readonly wallets: readonly Wallet[];
  readonly collections: readonly LivingCollection[];
  readonly tokens: readonly string[];
  readonly assets: readonly string[];
} => {
  const wallets = walletNames.map((name) => world.wallet(name));
  const ownerOf = (index: number): Wallet => wallets[index % wallets.length]!;
  const collections = plans.map(({ name, kind, kinds }) => ({
    name,
    kinds,
    collection: world.createCollection({
      name,
      kind,
      description: `${name}, a collection of the sample chain.`,
    }),
  }));
  const assets: string[] = [];
  for (const { name, kinds, collection } of collections) {
    for (let index = 0; index < ASSETS_PER_KIND * kinds.length; index += 1) {
      const attributes = { number: assets.length + 1, light: index % 2 === 0 ? "warm" : "cold" };
      assets.push(
        world.mint({
          kind: kinds[index % kinds.length]!,
          owner: ownerOf(index),
          collection,
          name: nameOf(name, assets.length + 1),
          attributes,
        }),
      );
    }
  }
  const master = world.mint({ kind: "nft", owner: wallets[0]!, name: "Lighthouse", maxSupply: null });
  const prints = [1, 2, 3].map((index) => world.print(master, ownerOf(index)));
  world.inscribe(assets.find((id) => world.find(id)?.type === "token")!);
  const tokens = fungibles.map((token) => world.mint({ ...token, kind: "fungible", owner: wallets[1]! }));
  addShowcase(world, wallets[0]!, wallets[1]!);
  return { wallets, collections, tokens, assets: [...assets, ...prints] };
};

export const nameOf = (collection: string, number: number): string => `${collection} #${number}`;
