// Every way an asset can end: the lines of ASSET-ENDS.md.

import { encodeAddress, editionAddress } from "@lamplight/codecs";
import type { Account, Slot } from "@lamplight/core";
import { BubblegumTree } from "@lamplight/devchain";
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
  type Step,
} from "./asset-end.ts";
import {
  at,
  closedAt,
  coreAsset,
  coreCollection,
  emptiedAt,
  key,
  masterEdition,
  metadata,
  mint,
  type MintFields,
  print,
} from "./encode-accounts.ts";
import { encryptedEnds, token2022Ends } from "./token-2022-ends.ts";

const family = key(2);
const edition = editionAddress(id, null);
export const heldByEdition: MintFields = { mintAuthority: edition, freezeAuthority: edition };
const living = mint(id, LIFE, heldByEdition);
const empty = mint(id, END, { ...heldByEdition, supply: 0n });
const named = (standard: number | null): Account => metadata(LIFE, { mint: id, standard });
const master = masterEdition(id, LIFE, 0n, 0n);
const printed = print(id, LIFE, editionAddress(key(3), null), 7n);

const unnamed = { ...nobody, interface: "V1_NFT", name: "" };

/** Burnt by Token Metadata: metadata and edition are closed, or one byte of the metadata is left. */
const burntByProgram = (
  what: string,
  standard: number | null,
  assetInterface: string,
  part = master,
): AssetEnd[] =>
  [closedAt, emptiedAt].map((close) => ({
    what: `${what}, its metadata ${close === closedAt ? "closed" : "emptied"}`,
    life: { accounts: [living, named(standard), part, holder] },
    end: { accounts: [empty, close(named(standard), END), closedAt(part, END), closedAt(holder, END)] },
    followed: { ...nobody, interface: assetInterface, name: "Name" },
    fresh: unnamed,
  }));

const tokenMetadataEnds: readonly AssetEnd[] = [
  ...burntByProgram("a master burnt by Token Metadata", 0, "V1_NFT"),
  ...burntByProgram("a print burnt by Token Metadata", 3, "V1_NFT", printed),
  ...burntByProgram("a programmable NFT burnt by Token Metadata", 4, "ProgrammableNFT"),
  ...burntByProgram("an old NFT without a standard burnt by Token Metadata", null, "V1_NFT"),
  ...[0, 4, null].map((standard) => {
    const shown = {
      ...nobody,
      interface: standard === 4 ? "ProgrammableNFT" : "V1_NFT",
      name: "Name",
    };
    return {
      what: `an NFT of standard ${standard} whose unit the token program burnt`,
      life: { accounts: [living, named(standard), master, holder] },
      end: { accounts: [empty, closedAt(holder, END)] },
      followed: shown,
      fresh: shown,
    };
  }),
  {
    what: "an NFT that was created and not minted yet",
    life: {},
    end: { accounts: [empty, named(0), master] },
    followed: { ...unnamed, name: "Name" },
    fresh: { ...unnamed, name: "Name" },
  },
  {
    what: "an empty mint one of whose authorities is not its edition",
    life: { accounts: [mint(id, LIFE, { mintAuthority: edition, freezeAuthority: alice, supply: 5n })] },
    end: { accounts: [mint(id, END, { mintAuthority: edition, freezeAuthority: alice, supply: 0n })] },
    followed: { ...alive, name: "" },
    fresh: { ...alive, name: "" },
  },
  {
    what: "an empty mint held by another mint's edition",
    life: {},
    end: {
      accounts: [
        mint(id, END, {
          mintAuthority: editionAddress(key(3), null),
          freezeAuthority: editionAddress(key(3), null),
          supply: 0n,
        }),
      ],
    },
    followed: { ...alive, name: "" },
    fresh: { ...alive, name: "" },
  },
];

const mintEnds: readonly AssetEnd[] = [
  {
    what: "a single unit without metadata that nobody can mint again",
    life: { accounts: [mint(id, LIFE), holder] },
    end: { accounts: [mint(id, END, { supply: 0n }), closedAt(holder, END)] },
    followed: { ...nobody, interface: "Custom", name: "" },
    fresh: { ...nobody, interface: "Custom", name: "" },
  },
  {
    what: "a fungible token without supply",
    life: { accounts: [mint(id, LIFE, { supply: 5n, decimals: 6, mintAuthority: alice }), named(2)] },
    end: { accounts: [mint(id, END, { supply: 0n, decimals: 6, mintAuthority: alice })] },
    followed: { ...alive, name: "Name" },
    // Its metadata never closes: a fresh store holds them too.
    fresh: { ...alive, name: "Name" },
  },
];

const inFamily = coreAsset(id, LIFE, alice, family);
const neverSeen = { ...nobody, interface: "MplCoreAsset", name: "" };
const aliceText = encodeAddress(alice);

const coreEnds: readonly AssetEnd[] = [
  {
    what: "a burnt Core asset",
    life: { accounts: [coreCollection(family, LIFE, author), inFamily] },
    end: { accounts: [emptiedAt(inFamily, END)] },
    followed: { interface: "MplCoreAsset", burnt: true, name: "Asset", owner: aliceText },
    fresh: neverSeen,
  },
  {
    what: "a burnt Core collection",
    life: { accounts: [coreCollection(id, LIFE, author)] },
    end: { accounts: [emptiedAt(coreCollection(id, LIFE, author), END)] },
    followed: {
      interface: "MplCoreCollection",
      burnt: true,
      name: "Collection",
      owner: encodeAddress(author),
    },
    // One byte is left, regardless of what it was.
    fresh: neverSeen,
  },
  {
    what: "a burnt Core asset whose rent was collected",
    life: { accounts: [inFamily] },
    end: { accounts: [closedAt(inFamily, END)] },
    followed: { interface: "MplCoreAsset", burnt: true, name: "Asset", owner: aliceText },
    fresh: null,
  },
  {
    what: "a burnt Core asset never seen alive, whose rent was collected",
    life: { accounts: [emptiedAt(inFamily, LIFE)] },
    end: { accounts: [closedAt(inFamily, END)] },
    followed: neverSeen,
    fresh: null,
  },
];

const tree = new BubblegumTree(1);
const leaves = [tree.create(), tree.mintV1(alice), tree.mintV1(alice), tree.mintV1(alice)];
const leafShown = { interface: "V1_NFT", burnt: true, owner: aliceText };
/** One end of leaf 2: both are tried over the life before. */
const [burnLeaf, redeemLeaf, redeemBurnt] = [tree.burn(0), tree.redeem(1), tree.redeem(2)];
const leafMint = mint(tree.idOf(2), END, {
  mintAuthority: editionAddress(tree.idOf(2), null),
  freezeAuthority: editionAddress(tree.idOf(2), null),
  supply: 0n,
});

const leafEnds: readonly AssetEnd[] = [
  {
    what: "a burnt leaf",
    id: tree.idOf(0),
    life: { transactions: leaves },
    end: { transactions: [burnLeaf] },
    followed: { ...leafShown, name: "Lamp" },
    fresh: { ...leafShown, owner: "", name: "" },
  },
  {
    what: "a redeemed leaf, which is on its way to a mint",
    id: tree.idOf(1),
    life: { transactions: leaves },
    end: { transactions: [redeemLeaf] },
    followed: { ...leafShown, burnt: false, name: "Lamp" },
    fresh: { ...leafShown, burnt: false, owner: "", name: "" },
  },
  {
    what: "a leaf that was decompressed and then burnt as an NFT",
    id: tree.idOf(2),
    life: { transactions: [...leaves, redeemBurnt] },
    end: { accounts: [leafMint] },
    followed: unnamed,
    fresh: unnamed,
  },
];

export const assetEnds: readonly AssetEnd[] = [
  ...tokenMetadataEnds,
  ...token2022Ends,
  ...encryptedEnds,
  ...mintEnds,
  ...coreEnds,
  ...leafEnds,
];

/** The accounts and transactions of a step, at that slot. */
export const inSlot = (slot: Slot, { accounts = [], transactions = [] }: Step): Required<Step> => ({
  accounts: accounts.map((account) => at(account, slot)),
  transactions: transactions.map((transaction, index) => ({ ...transaction, slot, index })),
});

/** The accounts that are left after the end. */
export const newestOf = ({ life, end }: AssetEnd): readonly Account[] => {
  const newest = new Map<string, Account>();
  for (const account of [...inSlot(LIFE, life).accounts, ...inSlot(END, end).accounts])
    newest.set(encodeAddress(account.address), account);
  return [...newest.values()].filter(({ lamports }) => lamports > 0n);
};
