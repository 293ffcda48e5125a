import { programAddresses } from "@lamplight/codecs";
import { type Draft, draftOf } from "../draft.ts";
import { encodeMint, encodeTokenAccount } from "../encode/token.ts";
import { encodeMint2022 } from "../encode/token-2022.ts";
import {
  encodeMasterEdition,
  encodeMetadata,
  encodeTokenRecord,
  type MetadataFields,
} from "../encode/token-metadata.ts";
import { tokenRecordSeed, type World } from "../world.ts";

/** One NFT, regardless of its flavour, before it becomes accounts. */
export interface Nft {
  readonly mint: Uint8Array;
  readonly tokenAccount: Uint8Array;
  readonly tokenOwner: Uint8Array;
  readonly delegate: Uint8Array | null;
  readonly standard: "plain" | "programmable" | "old" | "extension" | "print";
  readonly metadata: Omit<MetadataFields, "mint" | "editionNonce" | "tokenStandard" | "programmable">;
  /** The edition account's data: a master's or a print's; null for mints of Token-2022. */
  readonly edition: Uint8Array | null;
}

const tokenStandards = { plain: 0, programmable: 4, old: null, print: 3 } as const;

/** Mint, token account, metadata, edition and, for programmable ones, the token record. */
export function* nftAccounts(world: World, nft: Nft): Generator<Draft> {
  if (nft.standard === "extension") return yield* extensionNftAccounts(nft);
  const edition = world.editionAddress(nft.mint);
  const programmable = nft.standard === "programmable";
  // Only the edition may mint or freeze from here on: that is what makes it one of a kind.
  const authority = edition.address;
  const mint = { mintAuthority: authority, supply: 1n, decimals: 0, freezeAuthority: authority };
  yield draftOf(nft.mint, programAddresses.token, encodeMint(mint));
  yield holdingOf(nft, nft.tokenAccount, nft.tokenOwner, 1n, nft.delegate);
  const metadata = world.metadataAddress(nft.mint);
  const data = encodeMetadata(
    {
      ...nft.metadata,
      mint: nft.mint,
      editionNonce: edition.bump,
      tokenStandard: tokenStandards[nft.standard],
      programmable: programmable ? { ruleSet: null } : null,
    },
    nft.standard === "old" ? 679 : 607,
  );
  yield draftOf(metadata.address, programAddresses.tokenMetadata, data);
  const editionData = nft.edition ?? encodeMasterEdition(0n, 0n, programmable);
  yield draftOf(edition.address, programAddresses.tokenMetadata, editionData);
  if (programmable) {
    const record = world.metadataAddress(nft.mint, tokenRecordSeed, nft.tokenAccount);
    const recordData = encodeTokenRecord(record.bump, nft.delegate !== null, nft.delegate);
    yield draftOf(record.address, programAddresses.tokenMetadata, recordData);
  }
}

/** The token account of an NFT; programmable ones are always frozen on chain. */
export const holdingOf = (
  nft: Nft,
  address: Uint8Array,
  tokenOwner: Uint8Array,
  amount: bigint,
  delegate: Uint8Array | null,
): Draft => {
  const data = encodeTokenAccount({
    mint: nft.mint,
    tokenOwner,
    amount,
    delegate,
    delegatedAmount: delegate === null ? 0n : 1n,
    frozen: nft.standard === "programmable",
    nativeReserve: null,
    closeAuthority: null,
  });
  return draftOf(
    address,
    nft.standard === "extension" ? programAddresses.token2022 : programAddresses.token,
    data,
  );
};

function* extensionNftAccounts(nft: Nft): Generator<Draft> {
  const { updateAuthority, name, symbol, uri } = nft.metadata;
  const data = encodeMint2022({ mintAuthority: null, supply: 1n, decimals: 0, freezeAuthority: null }, [
    { name: "metadataPointer", fields: { authority: updateAuthority, metadataAddress: nft.mint } },
    {
      name: "tokenMetadata",
      updateAuthority,
      mint: nft.mint,
      texts: { name, symbol, uri },
      additional: [["trait", "glow"]],
    },
  ]);
  yield draftOf(nft.mint, programAddresses.token2022, data);
  yield holdingOf(nft, nft.tokenAccount, nft.tokenOwner, 1n, nft.delegate);
}
