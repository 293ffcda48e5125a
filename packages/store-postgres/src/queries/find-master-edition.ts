import { decodeEditionAccount, editionAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { AddressBytes, MasterEdition } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { findAccount } from "./find-account.ts";
import { findEdition } from "./list-editions.ts";

/**
 * The master edition of a mint, from the edition account that Token Metadata derives from it: a master answers itself,
 * a print its parent. A print whose edition account is closed is still known by its row.
 */
export const findMasterEdition = async (
  session: Session,
  programs: ProgramDictionary,
  mint: AddressBytes,
): Promise<MasterEdition | null> => {
  const decode = async (address: AddressBytes) => {
    const account = await findAccount(session, programs, address);
    const isOurs = account !== null && sameBytes(account.programOwner, programAddresses.tokenMetadata);
    return isOurs ? decodeEditionAccount(account.data) : null;
  };
  const address = editionAddress(mint, null);
  const edition = await decode(address);
  if (edition?.kind === "masterEdition") {
    return { address, supply: edition.supply, maxSupply: edition.maxSupply };
  }
  const parent = edition?.parent ?? (await findEdition(session, mint))?.parent;
  if (parent === undefined) return null;
  const masterAddress = Uint8Array.from(parent);
  const master = await decode(masterAddress);
  return master?.kind === "masterEdition"
    ? { address: masterAddress, supply: master.supply, maxSupply: master.maxSupply }
    : null;
};
