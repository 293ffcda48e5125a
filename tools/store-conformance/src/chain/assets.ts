import type { Asset } from "@lamplight/core";
import { addressOf, addressText } from "./addresses.ts";
import { plainAsset } from "./plain-asset.ts";

/** A plain NFT, unless reported otherwise; its document names it. */
export const assetOf = (name: string | number, parts: Partial<Asset> = {}): Asset => {
  const id = parts.id ?? addressOf(`asset ${name}`);
  return plainAsset(id, {
    assetOwner: addressOf("owner"),
    basisPoints: 500,
    name: `Asset ${name}`,
    jsonUri: `https://example.com/${name}.json`,
    document: JSON.stringify({ id: addressText(id), name }),
    ...parts,
  });
};
