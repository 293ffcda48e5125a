// Where the Token Metadata program keeps its accounts. Every function but `editionAddress` with a nonce searches for
// the bump: right for a request, too slow for bulk work.

import { deriveProgramAddress, findProgramAddress } from "../pda/program-address.ts";
import { programAddresses } from "../programs/addresses.ts";
import { editionsPerMarker } from "./decode-edition.ts";

const program = programAddresses.tokenMetadata;
const encoder = new TextEncoder();
const prefix = encoder.encode("metadata");
const edition = encoder.encode("edition");
const marker = encoder.encode("marker");

/** Address of the Metadata account of a mint. */
export const metadataAddress = (mint: Uint8Array): Uint8Array => find(mint);

/**
 * Address of a mint's edition account, master and print alike.
 *
 * @param nonce - `Metadata.editionNonce`: with it a single sha256; null searches for the bump
 */
export const editionAddress = (mint: Uint8Array, nonce: number | null): Uint8Array =>
  nonce === null
    ? find(mint, edition)
    : deriveProgramAddress([prefix, program, mint, edition, Uint8Array.of(nonce)], program);

/** Address of the version 1 marker that holds this edition number of a master's mint. */
export const editionMarkerAddress = (mint: Uint8Array, number: bigint): Uint8Array =>
  find(mint, edition, encoder.encode((number / BigInt(editionsPerMarker)).toString()));

/** Address of the single version 2 marker of a master's mint. */
export const editionMarkerV2Address = (mint: Uint8Array): Uint8Array => find(mint, edition, marker);

/** Address of the record that locks a programmable NFT's token account. */
export const tokenRecordAddress = (mint: Uint8Array, tokenAccount: Uint8Array): Uint8Array =>
  find(mint, encoder.encode("token_record"), tokenAccount);

const find = (mint: Uint8Array, ...more: readonly Uint8Array[]): Uint8Array =>
  findProgramAddress([prefix, program, mint, ...more], program).address;
