import {
  decodeEditionAccount,
  decodeMetadata,
  editionAddress,
  isMetadataAddress,
  type Metadata,
  programAddresses,
} from "@lamplight/codecs";
import type { Account, AddressBytes } from "@lamplight/core";
import { type AccountClaim, type AccountRule, claim } from "../../rules/rules.ts";

/** Metadata and edition accounts. Both outlive their closing: a burnt NFT keeps its name and its print numbers. */
export const tokenMetadataRule: AccountRule = {
  name: "token-metadata",
  programs: [programAddresses.tokenMetadata],
  claim: (account) => claimMetadata(account) ?? claimEdition(account),
};

/** Only at the address derived from its mint: the program writes a mint's metadata nowhere else. */
const claimMetadata = ({ address, data }: Account): AccountClaim | null => {
  const metadata = decodeMetadata(data);
  if (metadata === null || !isMetadataAddress(address, metadata.mint)) return null;
  const edition = editionAddressOf(metadata);
  return claim({
    assets: [metadata.mint],
    links: [
      { role: "metadata", target: metadata.mint },
      ...(edition === null ? [] : [{ role: "edition" as const, target: edition }]),
    ],
    parts: edition === null ? [] : [edition],
    outlives: true,
  });
};

/** An edition account does not name its mint: the metadata that links to it does. */
const claimEdition = ({ address, data }: Account): AccountClaim | null =>
  decodeEditionAccount(data) === null
    ? null
    : claim({ dependants: [{ role: "edition", target: address }], outlives: true });

/**
 * Address of the edition account of this metadata's mint, if it has one; null for fungibles.
 *
 * Metadata without a nonce is old and rare: only that is worth a search.
 */
export const editionAddressOf = (metadata: Metadata): AddressBytes | null => {
  if (metadata.tokenStandard === "Fungible" || metadata.tokenStandard === "FungibleAsset") return null;
  return editionAddress(metadata.mint, metadata.editionNonce);
};
