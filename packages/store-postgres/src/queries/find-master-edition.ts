import { decodeEditionAccount, editionAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { AddressBytes, MasterEdition } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Statements } from "../engine/statements.ts";
import { findAccount } from "./find-account.ts";

/**
 * The master edition of a mint, from its edition account: a master returns itself, a print its parent. Only the
 * edition account names the parent, so a print has none once that account is closed.
 */
export const findMasterEdition = async (
  db: Statements,
  programs: ProgramDictionary,
  mint: AddressBytes,
): Promise<MasterEdition | null> => {
  const decode = async (address: AddressBytes) => {
    const account = await findAccount(db, programs, address);
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
