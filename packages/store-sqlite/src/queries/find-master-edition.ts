import { decodeEditionAccount, editionAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { Account, AddressBytes, MasterEdition } from "@lamplight/core";

/**
 * The master edition of a mint, from the edition account that Token Metadata derives from it: a master answers
 * itself, a print its parent. Nothing else names the parent, so a print whose edition account is closed has none.
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
