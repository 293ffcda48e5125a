import { decodeEditionAccount, editionAddress, programAddresses, sameBytes } from "@lamplight/codecs";
import type { Account, AddressBytes, Edition, MasterEdition } from "@lamplight/core";

/**
 * The master edition of a mint, from the edition account that Token Metadata derives from it: a master answers
 * itself, a print its parent. A print whose edition account is closed is still known by its row.
 */
export const prepareFindMasterEdition = (
  findAccount: (address: AddressBytes) => Account | null,
  findEdition: (mintOrAddress: AddressBytes) => Edition | null,
): ((mint: AddressBytes) => MasterEdition | null) => {
  const decode = (address: AddressBytes) => {
    const account = findAccount(address);
    const isOurs = account !== null && sameBytes(account.programOwner, programAddresses.tokenMetadata);
    return isOurs ? decodeEditionAccount(account.data) : null;
  };
  const masterAt = (address: AddressBytes): MasterEdition | null => {
    const edition = decode(address);
    return edition?.kind === "masterEdition"
      ? { address, supply: edition.supply, maxSupply: edition.maxSupply }
      : null;
  };
  return (mint) => {
    const address = editionAddress(mint, null);
    const edition = decode(address);
    if (edition?.kind === "masterEdition") {
      return { address, supply: edition.supply, maxSupply: edition.maxSupply };
    }
    const parent = edition?.parent ?? findEdition(mint)?.parent;
    return parent === undefined ? null : masterAt(Uint8Array.from(parent));
  };
};
