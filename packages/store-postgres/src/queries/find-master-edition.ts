import { decodeEditionAccount, editionAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { AddressBytes, MasterEdition } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Session } from "../engine/session.ts";
import { findAccount } from "./find-account.ts";

/**
 * The master edition of a mint, from the edition account that Token Metadata derives from it: a master answers itself,
 * a print its parent. Nothing else names the parent, so a print whose edition account is closed has none.
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
  const own = editionAddress(mint, null);
  const edition = await decode(own);
  const address = edition?.kind === "edition" ? Uint8Array.from(edition.parent) : own;
  const master = edition?.kind === "edition" ? await decode(address) : edition;
  return master?.kind === "masterEdition"
    ? { address, supply: master.supply, maxSupply: master.maxSupply }
    : null;
};
