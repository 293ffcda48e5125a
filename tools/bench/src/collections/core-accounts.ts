import { createHash } from "node:crypto";
import { programAddresses } from "@lamplight/codecs";
import type { Account, AddressBytes, Slot } from "@lamplight/core";
import { encodeCoreAsset, encodeCoreCollection } from "@lamplight/devchain";

const addressOf = (name: string): AddressBytes => new Uint8Array(createHash("sha256").update(name).digest());

const accountOf = (address: AddressBytes, data: Uint8Array, slot: Slot): Account => ({
  address,
  programOwner: programAddresses.mplCore,
  lamports: 1_000_000n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot,
  writeVersion: 0,
});

export const collectionAddress = addressOf("collection");

/** Every tenth has royalties of its own, and takes only the rest from its collection. */
export const memberAccount = (index: number, slot: Slot): Account => {
  const data = encodeCoreAsset({
    assetOwner: addressOf(`owner ${index % 1000}`),
    updateAuthority: { kind: "collection", address: collectionAddress },
    name: `Member #${index}`,
    uri: `https://example.com/${index}.json`,
    plugins: index % 10 === 0 ? [royalties(basisPointsOf(index / 10))] : [],
    adapters: [],
  });
  return accountOf(addressOf(`member ${index}`), data, slot);
};

// Values repeat, so that a search for an old one finds nothing, or what a fork of the past had.
export const AUTHORITIES = 7;
export const BASIS_POINTS = 5;
export const authorityOf = (which: number): AddressBytes => addressOf(`authority ${which % AUTHORITIES}`);
export const basisPointsOf = (which: number): number => 100 + (which % BASIS_POINTS);

/**
 * The terms that an update of the collection changes for its members: who may change them, and what is due on a sale.
 */
export interface Terms {
  readonly authority: AddressBytes;
  readonly basisPoints: number;
}

export const collectionAccount = (
  { authority, basisPoints }: Terms,
  members: number,
  slot: Slot,
): Account => {
  const data = encodeCoreCollection({
    updateAuthority: authority,
    name: "Collection",
    uri: "https://example.com/collection.json",
    numMinted: members,
    currentSize: members,
    plugins: [royalties(basisPoints)],
    adapters: [],
  });
  return accountOf(collectionAddress, data, slot);
};

/** One creator, no rule set, changed by the update authority. */
const royalties = (basisPoints: number) =>
  ({
    data: {
      kind: "royalties",
      basisPoints,
      creators: [{ address: addressOf("creator"), percentage: 100 }],
      ruleSet: { kind: "none" },
    },
    authority: { kind: "updateAuthority" },
  }) as const;
