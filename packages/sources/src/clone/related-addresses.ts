import {
  decodeCoreAccount,
  decodeLibreplexInscription,
  decodeMetadata,
  decodeMint,
  decodeTokenAccount,
  editionAddress,
  encodeAddress,
  findExtension,
  findProgramAddress,
  isTokenAccount,
  isTokenProgram,
  libreplexRecordAddress,
  metadataAddress,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { Account } from "@lamplight/core";

/** Addresses of the accounts that describe the same assets, as base58 text; not all of them need to exist. */
export const relatedAddresses = ({ address, programOwner, data }: Account): readonly string[] => {
  if (isTokenProgram(programOwner)) return ofTokenProgram(address, data).map(encodeAddress);
  if (sameBytes(programOwner, programAddresses.tokenMetadata)) {
    const collection = decodeMetadata(data)?.collection ?? null;
    return collection === null ? [] : [encodeAddress(collection.address)];
  }
  if (sameBytes(programOwner, programAddresses.inscriptions)) {
    const record = decodeLibreplexInscription(data);
    return record === null ? [] : [record.root, record.inscriptionData].map(encodeAddress);
  }
  if (!sameBytes(programOwner, programAddresses.mplCore)) return [];
  const core = decodeCoreAccount(data);
  if (core?.kind !== "asset") return [];
  const record = encodeAddress(libreplexRecordAddress(address));
  if (core.updateAuthority.kind !== "collection") return [record];
  return [record, encodeAddress(core.updateAuthority.collection)];
};

/** Whether its one unit has one owner, whose token account is looked up. */
export const isSingleMint = ({ programOwner, data }: Account): boolean => {
  if (!isTokenProgram(programOwner) || isTokenAccount(data)) return false;
  const mint = decodeMint(data);
  return mint !== null && mint.supply === 1n && mint.decimals === 0;
};

const ofTokenProgram = (address: Uint8Array, data: Uint8Array): readonly Uint8Array[] => {
  const holding = isTokenAccount(data) ? decodeTokenAccount(data) : null;
  if (holding !== null) {
    // Only a single unit can be programmable.
    return holding.amount === 1n ? [holding.mint, tokenRecordAddress(holding.mint, address)] : [holding.mint];
  }
  const mint = decodeMint(data);
  if (mint === null) return [];
  const described = [
    metadataAddress(address),
    editionAddress(address, null),
    libreplexRecordAddress(address),
  ];
  return [...described, ...pointedAddresses(mint.extensions)];
};

/**
 * A Token-2022 mint points to its metadata, its own group, its membership of one, and the group that this names.
 */
const pointedAddresses = (extensions: Uint8Array): readonly Uint8Array[] => {
  const member = findExtension(extensions, "tokenGroupMember", "mint");
  return [
    findExtension(extensions, "metadataPointer", "mint")?.metadataAddress,
    findExtension(extensions, "groupPointer", "mint")?.groupAddress,
    findExtension(extensions, "groupMemberPointer", "mint")?.memberAddress,
    member?.group,
  ].filter((address) => address instanceof Uint8Array);
};

/** The addresses at which wallets keep a token by default. */
export const associatedTokenAddress = ({ address, programOwner }: Account, owner: Uint8Array): string =>
  encodeAddress(findProgramAddress([owner, programOwner, address], programAddresses.associatedToken).address);

const utf8 = new TextEncoder();

const tokenRecordAddress = (mint: Uint8Array, tokenAccount: Uint8Array): Uint8Array => {
  const program = programAddresses.tokenMetadata;
  const seeds = [utf8.encode("metadata"), program, mint, utf8.encode("token_record"), tokenAccount];
  return findProgramAddress(seeds, program).address;
};
