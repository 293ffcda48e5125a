import {
  type Account,
  type AccountWrite,
  type AddressBytes,
  deriveAccountFacts,
  isOlderVersion,
} from "@lamplight/core";
import {
  accountRowColumns,
  decodeAccountRow,
  encodeAccountRow,
  holdingBit,
  lastLifeBit,
  stakeHoldBit,
} from "../columns/account-row.ts";
import { byKey, compareBytes, mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { u64FromColumn, u64ToColumn } from "../columns/u64-column.ts";
import { arrayParameter, type Element } from "../engine/array-parameter.ts";
import type { Row, Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { bulkDelete, bulkUpsert, type Columns, runBulk } from "./bulk.ts";
import { type Step, type StoredAccount, writeHoldings, writeStakeHolds } from "./write-facts.ts";
import { moveTopAccounts, settleFloor, type TopAccountsBounds } from "./write-top-accounts.ts";
import type { HeadDraft } from "./write-head.ts";

/** What stays the same over the life of a writer. */
export interface AccountWriting {
  readonly programs: ProgramDictionary;
  readonly bounds: TopAccountsBounds;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
}

/** Applies account writes; a version older than what is stored is passed over. */
export const writeAccounts = async (
  session: Session,
  { programs, bounds, holdings }: AccountWriting,
  writes: readonly AccountWrite[],
  head: HeadDraft,
): Promise<void> => {
  if (writes.length === 0) return;
  const steps = await planSteps(session, programs, writes);
  const programOf = await programs.idsOf(
    session,
    steps.flatMap(({ state: { current, lastLife } }) =>
      lastLife === null ? [current.programOwner] : [current.programOwner, lastLife.programOwner],
    ),
  );
  await Promise.all([
    writeRows(session, steps, programOf),
    writeLastLives(session, steps, programOf),
    holdings ? writeHoldings(session, steps) : null,
    writeStakeHolds(session, steps, head),
    moveTopAccounts(
      session,
      steps.map(({ state, stored }) => ({
        address: state.current.address,
        before: stored?.lamports ?? 0n,
        after: state.current.lamports,
      })),
      head,
    ),
  ]);
  await settleFloor(session, bounds, head);
};

const findLiving = statement(
  `SELECT address, ${accountRowColumns.replace(
    /\bdata\b/u,
    `CASE WHEN flags & ${holdingBit} <> 0 THEN data END`,
  )} FROM account WHERE address = ANY ($1::bytea[])`,
);
const findClosed = statement(
  "SELECT address, slot, write_version, flags FROM tombstone WHERE address = ANY ($1::bytea[])",
);

/** Reads what is stored of the accounts and keeps the writes that are not older. */
const planSteps = async (
  session: Session,
  programs: ProgramDictionary,
  writes: readonly AccountWrite[],
): Promise<readonly Step[]> => {
  const asked = arrayParameter(
    "bytea",
    writes.map(({ state }) => state.current.address),
  );
  const [living, closed] = await Promise.all([
    session.all(findLiving, asked),
    session.all(findClosed, asked),
  ]);
  await programs.learn(
    session,
    living.map((row) => row[1] as number),
  );
  const [livingByKey, closedByKey] = [byKey(living), byKey(closed)];
  const steps: Step[] = [];
  for (const write of writes) {
    const key = mapKeyOf(write.state.current.address);
    const row = livingByKey.get(key);
    const tombstone = closedByKey.get(key);
    if (row !== undefined && isOlder(write, row, 3)) continue;
    if (tombstone !== undefined && isOlder(write, tombstone, 1)) continue;
    const flags = Number(row?.[5] ?? tombstone?.[3] ?? 0);
    steps.push({
      ...write,
      stored: row === undefined ? null : storedAccountOf(row, programs),
      wasClosed: tombstone !== undefined,
      hadLife: (flags & lastLifeBit) !== 0,
    });
  }
  // Neighbouring keys share pages.
  return steps.toSorted((a, b) => compareBytes(a.state.current.address, b.state.current.address));
};

/** @param at - column of the row's slot; the write version follows */
const isOlder = ({ state }: AccountWrite, row: Row, at: number): boolean =>
  isOlderVersion(state.current, { slot: Number(row[at]), writeVersion: Number(row[at + 1]) });

/** Of a row without data, unless it has a holding, which the old bytes tell. */
const storedAccountOf = (row: Row, programs: ProgramDictionary): StoredAccount => ({
  lamports: u64FromColumn(row[2] as bigint),
  flags: Number(row[5]),
  holding:
    row[7] === null
      ? null
      : deriveAccountFacts(decodeAccountRow(row[0] as Uint8Array, row, 1, programs.addressOf)).holding,
});

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
const accountColumns: Columns = [...lifeColumns, ["delegate", "bytea"], ["delegate_mint", "bytea"]];
const addressColumn: Columns = [["address", "bytea"]];

const notOlder = (table: string): string =>
  `WHERE (${table}.slot, ${table}.write_version) <= (excluded.slot, excluded.write_version)`;

const putAccounts = bulkUpsert("account", accountColumns, ["address"], notOlder("account"));
const deleteAccounts = bulkDelete("account", addressColumn);
const putTombstones = bulkUpsert("tombstone", versionColumns, ["address"], notOlder("tombstone"));
const deleteTombstones = bulkDelete("tombstone", addressColumn);
const putLives = bulkUpsert("last_life", lifeColumns, ["address"]);
const deleteLives = bulkDelete("last_life", addressColumn);

const writeRows = async (session: Session, steps: readonly Step[], programOf: ProgramId): Promise<void> => {
  const living = steps.filter(isLiving);
  const closing = steps.filter((step) => !isLiving(step));
  await Promise.all([
    runBulk(session, deleteTombstones, addressesOf(living.filter(({ wasClosed }) => wasClosed))),
    runBulk(session, deleteAccounts, addressesOf(closing.filter(({ stored }) => stored !== null))),
    runBulk(
      session,
      putTombstones,
      closing.map((step) => versionValues(step.state.current, programOf, indexBits(step) & lastLifeBit)),
    ),
    runBulk(
      session,
      putAccounts,
      living.map((step) => [
        ...lifeValues(step.state.current, programOf, indexBits(step)),
        step.facts.delegate,
        step.facts.delegateMint,
      ]),
    ),
  ]);
};

const writeLastLives = async (
  session: Session,
  steps: readonly Step[],
  programOf: ProgramId,
): Promise<void> => {
  const kept = steps.flatMap(({ state }) => (state.lastLife === null ? [] : [state.lastLife]));
  await Promise.all([
    runBulk(
      session,
      deleteLives,
      addressesOf(steps.filter(({ state, hadLife }) => hadLife && state.lastLife === null)),
    ),
    runBulk(
      session,
      putLives,
      kept.map((life) => lifeValues(life, programOf, 0)),
    ),
  ]);
};

const isLiving = ({ state }: Step): boolean => state.current.lamports > 0n;

const addressesOf = (steps: readonly Step[]): Element[][] =>
  steps.map(({ state }) => [state.current.address]);

const indexBits = ({ facts, state }: Step): number =>
  (facts.holding === null ? 0 : holdingBit) |
  (facts.stakeHold === null ? 0 : stakeHoldBit) |
  (state.lastLife === null ? 0 : lastLifeBit);

/** In the order of `versionColumns`. */
export const versionValues = (account: Account, programOf: ProgramId, bits: number): Element[] => {
  const { flags, rentEpoch } = encodeAccountRow(account);
  const { address, slot, writeVersion, programOwner } = account;
  return [address, slot, writeVersion, rentEpoch, programOf(programOwner), flags | bits];
};

/** In the order of `lifeColumns`. */
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
