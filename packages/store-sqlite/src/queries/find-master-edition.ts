import { decodeEditionAccount, editionAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { Account, AddressBytes, MasterEdition } from "@lamplight/core";

/**
 * The master edition of a mint, from its edition account: a master returns itself, a print its parent. Only the
 * edition account names the parent, so a print has none once that account is closed.
 */
export const prepareFindMasterEdition = (
  findAccount: (address: AddressBytes) => Account | null,
): ((mint: AddressBytes) => MasterEdition | null) => {
  const decode = (address: AddressBytes) => {
    const account = findAccount(address);
    const isOurs = account !== null && sameBytes(account.programOwner, programAddresses.tokenMetadata);
    return isOurs ? decodeEditionAccount(account.data) : null;
  };
  return (mint) => {
    const own = editionAddress(mint, null);
    const edition = decode(own);
    const address = edition?.kind === "edition" ? Uint8Array.from(edition.parent) : own;
    const master = edition?.kind === "edition" ? decode(address) : edition;
    return master?.kind === "masterEdition"
      ? { address, supply: master.supply, maxSupply: master.maxSupply }
      : null;
  };
};
