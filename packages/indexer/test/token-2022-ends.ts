// Ends of Token-2022 mints: what their extensions decide.

import {
  type AssetEnd,
  alice,
  alive,
  author,
  END,
  holder,
  id,
  LIFE,
  nobody,
  type Shown,
} from "./asset-end.ts";
import { closedAt, key, mint, type MintFields, tokenAccount } from "./encode-accounts.ts";

const manager = key(52);

const text = (value: string): number[] => [value.length, 0, 0, 0, ...new TextEncoder().encode(value)];

/** Extensions of a Token-2022 mint whose metadata is its own. */
const ownMetadata = (updateAuthority: Uint8Array): NonNullable<MintFields["extensions"]> => [
  [18, [...key(0), ...id]],
  [19, [...updateAuthority, ...id, ...text("Own"), ...text("O"), ...text("u://own"), 0, 0, 0, 0]],
];

const token2022End = (
  what: string,
  fields: MintFields,
  shown: Pick<Shown, "interface" | "burnt" | "name">,
): AssetEnd => ({
  what,
  life: { accounts: [mint(id, LIFE, fields), holder] },
  end: { accounts: [mint(id, END, { ...fields, supply: 0n }), closedAt(holder, END)] },
  followed: { ...shown, owner: "" },
  fresh: { ...shown, owner: "" },
});

/** A mint as Wen New Standard leaves it: the mint is a program's, the metadata are the author's. */
export const ofManager: MintFields = {
  mintAuthority: manager,
  freezeAuthority: manager,
  extensions: ownMetadata(author),
};
/** Everything in the hands of one issuer. */
export const ofIssuer: MintFields = {
  mintAuthority: author,
  freezeAuthority: author,
  extensions: ownMetadata(author),
};

const closedMint = (what: string, fields: MintFields, assetInterface: string): AssetEnd => ({
  what,
  life: { accounts: [mint(id, LIFE, fields)] },
  end: { accounts: [closedAt(mint(id, END, fields), END)] },
  followed: { ...nobody, interface: assetInterface, name: "Own" },
  fresh: null,
});

/** A closed mint whose key was then used for a token account of another NFT. */
const reusedKey: AssetEnd = {
  what: "a closed mint at whose address a token account holds the unit of another NFT",
  life: { accounts: [mint(id, LIFE, ofManager), mint(key(2), LIFE, { extensions: [] })] },
  end: { accounts: [tokenAccount(id, END, { mint: key(2), owner: alice })] },
  followed: { ...nobody, interface: "V1_NFT", name: "Own" },
  fresh: null,
};

export const token2022Ends: readonly AssetEnd[] = [
  token2022End(
    "a Token-2022 NFT that nobody can mint again",
    { extensions: [] },
    { interface: "V1_NFT", burnt: true, name: "" },
  ),
  token2022End("a Token-2022 NFT whose mint authority remains with a program", ofManager, {
    interface: "V1_NFT",
    burnt: true,
    name: "Own",
  }),
  token2022End(
    "the same with immutable metadata",
    { ...ofManager, extensions: ownMetadata(key(0)) },
    { interface: "V1_NFT", burnt: true, name: "Own" },
  ),
  token2022End(
    "points that came down from 2 by way of 1",
    { ...ofIssuer, supply: 1n },
    {
      interface: "FungibleToken",
      burnt: false,
      name: "Own",
    },
  ),
  token2022End(
    "points without metadata of their own",
    { extensions: [], mintAuthority: manager, supply: 1n },
    { interface: "FungibleToken", burnt: false, name: "" },
  ),
  closedMint("a closed mint of a Token-2022 NFT, last seen with its unit", ofManager, "V1_NFT"),
  closedMint("the same, last seen empty", { ...ofManager, supply: 0n }, "V1_NFT"),
  closedMint("a closed mint of points, last seen empty", { ...ofIssuer, supply: 0n }, "FungibleToken"),
  closedMint("a closed mint of a fungible token", { ...ofIssuer, decimals: 6, supply: 0n }, "FungibleToken"),
  reusedKey,
];

/** A mint with ConfidentialMintBurn: the program never writes the supply. */
const hidden: MintFields = { supply: 0n, extensions: [[24, Array.from({ length: 196 }, () => 7)]] };
const encryptedSupply = (what: string, fields: MintFields, name = ""): AssetEnd => ({
  what,
  life: { accounts: [mint(id, LIFE, { ...hidden, mintAuthority: manager })] },
  end: { accounts: [mint(id, END, { ...hidden, ...fields })] },
  followed: { ...alive, name },
  fresh: { ...alive, name },
});

export const encryptedEnds: readonly AssetEnd[] = [
  encryptedSupply("a mint with an encrypted supply, which says 0 for ever", { mintAuthority: manager }),
  encryptedSupply("an encrypted supply that cannot be minted again", { mintAuthority: null }),
  encryptedSupply(
    "an encrypted supply with metadata that do not belong to the mint authority",
    { mintAuthority: manager, extensions: [...ownMetadata(author), ...hidden.extensions!] },
    "Own",
  ),
  {
    what: "a closed mint with an encrypted supply",
    life: { accounts: [mint(id, LIFE, { ...hidden, mintAuthority: manager })] },
    end: { accounts: [closedAt(mint(id, END, hidden), END)] },
    followed: { ...alive, burnt: true, name: "" },
    fresh: null,
  },
];
