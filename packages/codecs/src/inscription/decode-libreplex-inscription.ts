// LibrePlex inscriptions: the ones that asset servers show with a mint.

import { BorshReader } from "../borsh/borsh-reader.ts";
import { orNull } from "../borsh/or-null.ts";
import { findProgramAddress, isDerivedAddress } from "../pda/program-address.ts";
import { programAddresses } from "../programs/addresses.ts";

export interface LibreplexInscription {
  readonly authority: Uint8Array;
  /** The mint it belongs to. */
  readonly root: Uint8Array;
  /** Account that holds the content, without any header. */
  readonly inscriptionData: Uint8Array;
  readonly order: bigint;
  /** Bytes of the data account. */
  readonly size: number;
  /** Media type; may carry path-like suffixes. */
  readonly contentType: string;
  readonly encoding: string;
  /** Hex text, recipe unknown: served, never verified. */
  readonly validationHash: string | null;
}

const recordSeed = new TextEncoder().encode("inscription_v3");

/** The address at which the program keeps the record of that root. */
export const libreplexRecordAddress = (root: Uint8Array): Uint8Array =>
  findProgramAddress([recordSeed, root], programAddresses.inscriptions).address;

/**
 * Whether this is where the program keeps the record of that root. Content accounts have the same program owner and
 * hold the writer's bytes from byte 0: bytes of a record at any other address may be anybody's.
 */
export const isLibreplexRecordAddress = (address: Uint8Array, root: Uint8Array): boolean =>
  isDerivedAddress(address, [recordSeed, root], programAddresses.inscriptions);

const discriminator = Buffer.from("e878cd2f99efe5e0", "hex");

/**
 * Null for every other account of the program. Content accounts can hold the bytes of a record: believe one only at
 * its address (`isLibreplexRecordAddress`). Byte fields are views into `data`.
 */
export const decodeLibreplexInscription = (data: Uint8Array): LibreplexInscription | null => {
  if (data.length < discriminator.length || discriminator.compare(data, 0, discriminator.length) !== 0)
    return null;
  const reader = new BorshReader("LibrePlex inscription", data, discriminator.length);
  return orNull(() => ({
    authority: reader.key(),
    root: reader.key(),
    inscriptionData: reader.key(),
    order: reader.u64(),
    size: reader.u32(),
    contentType: reader.text(),
    encoding: reader.text(),
    validationHash: reader.option(() => reader.text()),
  }));
};
