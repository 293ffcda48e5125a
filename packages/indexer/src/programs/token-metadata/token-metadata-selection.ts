import { decodeEditionAccount, decodeMetadata, type Metadata } from "@lamplight/codecs";
import type { Account, AddressBytes } from "@lamplight/core";

import type { NeededWithAccount, SelectionRule } from "../../rules/program.ts";
import type { AccountClaim } from "../../rules/rules.ts";

export const tokenMetadataSelection: SelectionRule = {
  named: ({ data }) => {
    const metadata = decodeMetadata(data);
    if (metadata !== null)
      return metadata.collection === null ? {} : { collection: metadata.collection.address };
    const edition = decodeEditionAccount(data);
    return edition?.kind === "edition" ? { master: edition.parent } : {};
  },
  needs: (account, claim) => {
    const metadata = decodeMetadata(account.data);
    return metadata === null || claim === null ? withEdition(account) : withMetadata(metadata, claim);
  },
};

const withMetadata = ({ collection }: Metadata, claim: AccountClaim): NeededWithAccount => {
  // An answer may show the asset of the collection too.
  const shown: readonly AddressBytes[] = collection === null ? [] : [collection.address];
  return { assets: [...claim.assets, ...shown], masters: claim.parts };
};

const withEdition = ({ address, data }: Account): NeededWithAccount => {
  const edition = decodeEditionAccount(data);
  if (edition === null) return {};
  // The metadata that links to it names the mint.
  return { addresses: edition.kind === "edition" ? [address, edition.parent] : [address] };
};
