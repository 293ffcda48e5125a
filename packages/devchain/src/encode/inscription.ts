import type { LibreplexInscription } from "@lamplight/codecs";
import { ByteWriter } from "./byte-writer.ts";

export type InscriptionFields = Omit<LibreplexInscription, "validationHash">;

/** The record of a LibrePlex inscription. */
export const encodeInscription = (inscription: InscriptionFields): Uint8Array =>
  new ByteWriter()
    .bytes(discriminator)
    .bytes(inscription.authority)
    .bytes(inscription.root)
    .bytes(inscription.inscriptionData)
    .u64(inscription.order)
    .u32(inscription.size)
    .text(inscription.contentType)
    .text(inscription.encoding)
    .u8(false)
    .finish();

const discriminator = Uint8Array.of(0xe8, 0x78, 0xcd, 0x2f, 0x99, 0xef, 0xe5, 0xe0);
