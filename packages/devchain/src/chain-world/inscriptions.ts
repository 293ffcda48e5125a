import { findProgramAddress, programAddresses } from "@lamplight/codecs";
import type { AddressBytes } from "@lamplight/core";
import { draftOf } from "../draft.ts";
import { encodeInscription } from "../encode/inscription.ts";
import { drawPicture } from "../parts/document.ts";
import type { WorldContext } from "./world-context.ts";
import type { Content } from "./content.ts";

export interface InscriptionInput {
  /** Media type. Default `image/svg+xml`. */
  readonly contentType?: string;
  /** Default: the picture of the asset. */
  readonly content?: Uint8Array | string;
}

const recordSeed = new TextEncoder().encode("inscription_v3");
const orderKey = "inscriptions";

/** Writes the record of an inscription and the account with its content. */
export const inscribe = (
  context: WorldContext,
  root: AddressBytes,
  content: Content,
  input: InscriptionInput,
): void => {
  const order = context.journal.find<number>(orderKey) ?? 0;
  context.journal.set(orderKey, order + 1);
  const { address } = findProgramAddress([recordSeed, root], programAddresses.inscriptions);
  const inscriptionData = context.newAddress();
  const given = input.content ?? drawPicture(content.name);
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
  const data = encodeInscription({
    authority: context.authority(),
    root,
    inscriptionData,
    order: BigInt(order),
    size: bytes.length,
    contentType: input.contentType ?? "image/svg+xml",
    encoding: "base64",
  });
  context.write(draftOf(inscriptionData, programAddresses.inscriptions, bytes));
  context.write(draftOf(address, programAddresses.inscriptions, data));
};
