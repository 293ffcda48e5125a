// LibrePlex inscriptions: the ones that asset servers show with a mint.

import { BorshReader } from "../borsh/borsh-reader.ts";
import { orNull } from "../borsh/or-null.ts";

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

const discriminator = Buffer.from("e878cd2f99efe5e0", "hex");

/**
 * Null for every other account of the program: its data accounts are bare content and cannot be told from damage.
 * Byte fields are views into `data`.
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
