// The addresses at which the Token Metadata program keeps its accounts. Every function but `editionAddress` with a
// nonce and the two that compare an address searches for the bump: right for a request, too slow for bulk work.

import { deriveProgramAddress, findProgramAddress, isDerivedAddress } from "../pda/program-address.ts";
import { programAddresses } from "../programs/addresses.ts";

const program = programAddresses.tokenMetadata;
const encoder = new TextEncoder();
const prefix = encoder.encode("metadata");
const edition = encoder.encode("edition");

/** Address of the Metadata account of a mint. */
export const metadataAddress = (mint: Uint8Array): Uint8Array => find(mint);

/** Whether this is where the program keeps the mint's Metadata account. Cheap enough for bulk work. */
export const isMetadataAddress = (address: Uint8Array, mint: Uint8Array): boolean =>
  isDerivedAddress(address, [prefix, program, mint], program);

/**
 * Address of a mint's edition account, master and print alike.
 *
 * @param nonce - `Metadata.editionNonce`: with it a single sha256; null searches for the bump
 */
export const editionAddress = (mint: Uint8Array, nonce: number | null): Uint8Array =>
  nonce === null
    ? find(mint, edition)
    : deriveProgramAddress([prefix, program, mint, edition, Uint8Array.of(nonce)], program);

/** Whether this is the mint's edition address, where no nonce is known. Cheap enough for bulk work. */
export const isEditionAddress = (address: Uint8Array, mint: Uint8Array): boolean =>
  isDerivedAddress(address, [prefix, program, mint, edition], program);

const find = (mint: Uint8Array, ...more: readonly Uint8Array[]): Uint8Array =>
  findProgramAddress([prefix, program, mint, ...more], program).address;
