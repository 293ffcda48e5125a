import {
  decodeEditionAccount,
  type EditionAccount,
  type MasterEditionAccount,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { Account } from "../domain/account.ts";
import type { AddressBytes } from "../domain/address.ts";
import type { MasterEdition } from "../domain/edition.ts";

/**
 * Address of the master edition that an edition account leads to: a master returns itself, a print its parent. Only this
 * account names the parent, so a print has none once it is closed.
 *
 * @param address - of the edition account; it need not exist
 */
export const masterAddressOf = (address: AddressBytes, account: Account | null): AddressBytes => {
  const edition = editionIn(account);
  return edition?.kind === "edition" ? Uint8Array.from(edition.parent) : address;
};

/** Null where the account is no master edition. */
export const masterEditionIn = (account: Account | null): MasterEdition | null => {
  const edition = editionIn(account);
  if (account === null || edition?.kind !== "masterEdition") return null;
  return { address: account.address, supply: edition.supply, maxSupply: edition.maxSupply };
};

const editionIn = (account: Account | null): EditionAccount | MasterEditionAccount | null => {
  const isOurs = account !== null && sameBytes(account.programOwner, programAddresses.tokenMetadata);
  return isOurs ? decodeEditionAccount(account.data) : null;
};
