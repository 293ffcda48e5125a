import {
  type Account,
  type AccountWrite,
  type AddressBytes,
  encodeAccountRow,
  holdingBit,
  lastLifeBit,
  nonCirculatingStakeBit,
  u64ToColumn,
} from "@lamplight/core";
import type { Element } from "../engine/array-parameter.ts";
import type { Columns } from "./bulk.ts";

export type ProgramId = (address: AddressBytes) => number;

export const versionColumns: Columns = [
  ["address", "bytea"],
  ["slot", "bigint"],
  ["write_version", "bigint"],
  ["rent_epoch", "bigint"],
  ["program", "integer"],
  ["flags", "smallint"],
];
export const lifeColumns: Columns = [...versionColumns, ["lamports", "bigint"], ["data", "bytea"]];
export const accountColumns: Columns = [...lifeColumns, ["delegate", "bytea"], ["delegate_mint", "bytea"]];

/** Bits of a row that record which other tables have rows of the account. */
export const indexBits = ({ facts, state }: AccountWrite): number =>
  (facts.holding === null ? 0 : holdingBit) |
  (facts.nonCirculatingStake === null ? 0 : nonCirculatingStakeBit) |
  (state.lastLife === null ? 0 : lastLifeBit);

/** Values in the order of `versionColumns`. */
export const versionValues = (account: Account, programOf: ProgramId, bits: number): Element[] => {
  const { flags, rentEpoch } = encodeAccountRow(account);
  const { address, slot, writeVersion, programOwner } = account;
  return [address, slot, writeVersion, rentEpoch, programOf(programOwner), flags | bits];
};

/** Values in the order of `lifeColumns`. */
export const lifeValues = (account: Account, programOf: ProgramId, bits: number): Element[] => {
  const { flags, rentEpoch, data } = encodeAccountRow(account);
  const { address, slot, writeVersion, programOwner, lamports } = account;
  return [
    address,
    slot,
    writeVersion,
    rentEpoch,
    programOf(programOwner),
    flags | bits,
    u64ToColumn(lamports),
    data,
  ];
};
