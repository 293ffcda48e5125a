import {
  decodeEditionAccount,
  decodeTokenAccount,
  encodeAddress,
  programAddresses,
  sameBytes,
} from "@lamplight/codecs";
import type { Account, AddressBytes } from "@lamplight/core";
import type { DasRow, DasRows } from "./das-tables.ts";

/** The mints of prints by the base58 addresses of their edition accounts. */
export type MintsOfPrints = ReadonlyMap<string, AddressBytes>;

/** The rows that an indexer of das_api would have written for this account next to those of assets. */
export const accountRowsOf = (account: Account, mints: MintsOfPrints): DasRows => {
  if (isOneOf(account.programOwner, programAddresses.token, programAddresses.token2022))
    return { token_accounts: tokenAccountRows(account) };
  if (sameBytes(account.programOwner, programAddresses.tokenMetadata))
    return { asset_v1_account_attachments: editionRows(account, mints) };
  return {};
};

const isOneOf = (address: Uint8Array, ...others: readonly Uint8Array[]): boolean =>
  others.some((other) => sameBytes(address, other));

const tokenAccountRows = ({ address, data, slot, programOwner }: Account): DasRow<"token_accounts">[] => {
  const account = decodeTokenAccount(data);
  if (account === null) return [];
  return [
    {
      pubkey: address,
      mint: account.mint,
      amount: BigInt.asIntN(64, account.amount),
      owner: account.tokenOwner,
      frozen: account.state === "frozen",
      delegate: account.delegate,
      delegated_amount: BigInt.asIntN(64, account.delegatedAmount),
      slot_updated: slot,
      token_program: programOwner,
    },
  ];
};

/** `data` is what the library of the program writes as JSON. */
const editionRows = (
  { address, data, slot }: Account,
  mints: MintsOfPrints,
): DasRow<"asset_v1_account_attachments">[] => {
  const edition = decodeEditionAccount(data);
  if (edition === null) return [];
  const row = { id: address, slot_updated: slot };
  if (edition.kind === "edition") {
    const { parent, number } = edition;
    const json = `{"key":"EditionV1","parent":"${encodeAddress(parent)}","edition":${number}}`;
    const mint = mints.get(encodeAddress(address)) ?? null;
    return [{ ...row, asset_id: mint, attachment_type: "edition", data: json }];
  }
  const { version, supply, maxSupply } = edition;
  const json = `{"key":"MasterEditionV${version}","supply":${supply},"max_supply":${maxSupply}}`;
  return [{ ...row, asset_id: null, attachment_type: `master_edition_v${version}`, data: json }];
};
