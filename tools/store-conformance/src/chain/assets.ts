import type { Asset } from "@lamplight/core";
import { addressOf, addressText } from "./addresses.ts";

/** A plain NFT, unless reported otherwise; its document names it. */
export const assetOf = (name: string | number, parts: Partial<Asset> = {}): Asset => {
  const id = parts.id ?? addressOf(`asset ${name}`);
  return {
    id,
    interface: "V1_NFT",
    ownerModel: "single",
    assetOwner: addressOf("owner"),
    delegate: null,
    authority: null,
    supply: 1n,
    supplyMint: id,
    royaltyModel: "creators",
    basisPoints: 500,
    creators: [],
    inherits: null,
    groups: [],
    compressed: false,
    compressible: false,
    frozen: false,
    burnt: false,
    mutable: true,
    name: `Asset ${name}`,
    jsonUri: `https://example.com/${name}.json`,
    tree: null,
    leafIndex: null,
    createdSlot: 1,
    updatedSlot: 1,
    document: JSON.stringify({ id: addressText(id), name }),
    extras: null,
    ...parts,
  };
};
