import {
  type Account,
  type AccountWrite,
  type AddressBytes,
  isOlderVersion,
  lastLifeBit,
} from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Element } from "../engine/array-parameter.ts";
import type { Session, TextRow } from "../engine/session.ts";
import { accountParameters } from "./account-parameters.ts";
import {
  accountColumns,
  indexBits,
  lifeColumns,
  lifeValues,
  type ProgramId,
  versionColumns,
  versionValues,
} from "./account-values.ts";
import { bulkDelete, bulkUpsert, type Columns, runBulk } from "./bulk.ts";
import {
  addressTextOf,
  flagsOf,
  holdingOf,
  lamportsOf,
  readStoredRows,
  type StoredRows,
  versionOf,
} from "./stored-accounts.ts";
import { type Step, type StoredAccount, writeHoldings, writeNonCirculatingStakes } from "./write-facts.ts";
import { type HolderChange, writeHolders } from "./write-holders.ts";
import {
  type LamportsMove,
  moveTopAccounts,
  settleFloor,
  type TopAccountsWriting,
} from "./write-top-accounts.ts";
import type { HeadDraft } from "./write-head.ts";

/** Constant over the life of a writer. */
export interface AccountWriting {
  readonly programs: ProgramDictionary;
  readonly topAccounts: TopAccountsWriting;
  /** Whether fungible holdings are indexed. */
  readonly holdings: boolean;
  /** Whether the token accounts of each mint are indexed. */
  holders: boolean;
}

/** Writes accounts. A version older than the stored one is ignored. */
export const writeAccounts = async (
  session: Session,
  { programs, topAccounts, holdings, holders }: AccountWriting,
  writes: readonly AccountWrite[],
  head: HeadDraft,
): Promise<void> => {
  if (writes.length === 0) return;
  const sorted = inKeyOrder(writes);
  const reading = readStoredRows(session, sorted);
  // Should the next line fail first, this one fails with it.
  reading.catch(() => undefined);
  const programOf = await programs.idsOf(session, programsOf(sorted));
  // Nearly always every version is newer, so its rows are encoded while the server reads.
  const made = accountParameters(sorted.filter(isLiving), programOf);
  const steps = planSteps(sorted, await reading);
  await Promise.all([
    writeRows(session, steps, programOf, steps.length === sorted.length ? made : null),
    writeLastLives(session, steps, programOf),
    holdings ? writeHoldings(session, steps) : null,
    holders ? writeHolders(session, steps.map(holderChangeOf)) : null,
    writeNonCirculatingStakes(session, steps, head),
    moveTopAccounts(session, topAccounts, movesOf(steps), head),
  ]);
  await settleFloor(session, topAccounts, head);
};

const holderChangeOf = ({ state, facts, stored }: Step): HolderChange => ({
  before: stored?.holding ?? null,
  after: facts.holding,
  current: state.current,
});

/** Most updates leave the balance as it is. */
const movesOf = (steps: readonly Step[]): readonly LamportsMove[] => {
  const moves: LamportsMove[] = [];
  for (const { state, stored } of steps) {
    const before = stored?.lamports ?? 0n;
    const { address, lamports: after } = state.current;
    if (before !== after) moves.push({ address, before, after });
  }
  return moves;
};

/**
 * Neighboring keys share pages. The first five bytes decide; addresses that are equal in them are close in any case.
 */
const inKeyOrder = (writes: readonly AccountWrite[]): readonly AccountWrite[] => {
  const order = new BigUint64Array(writes.length);
  const view = new DataView(order.buffer);
  for (const [index, { state }] of writes.entries()) {
    const { address } = state.current;
    for (let byte = 0; byte < 5; byte += 1) view.setUint8(8 * index + 7 - byte, address[byte] as number);
    view.setUint8(8 * index + 2, index >>> 16);
    view.setUint16(8 * index, index & 0xffff, true);
  }
  return Array.from(order.toSorted(), (one) => writes[Number(one & 0xff_ffffn)] as AccountWrite);
};

/** Few, for any number of accounts. */
const programsOf = (writes: readonly AccountWrite[]): readonly AddressBytes[] => {
  const programs = new Set<AddressBytes>();
  for (const { state } of writes) {
    programs.add(state.current.programOwner);
    if (state.lastLife !== null) programs.add(state.lastLife.programOwner);
  }
  return [...programs];
};

/** Keeps the writes that are not older than what is stored. */
const planSteps = (writes: readonly AccountWrite[], { living, closed }: StoredRows): readonly Step[] => {
  const steps: Step[] = [];
  for (const write of writes) {
    const { current } = write.state;
    const key = addressTextOf(current.address);
    const row = living.get(key);
    const tombstone = closed.get(key);
    if (row !== undefined && isOlderVersion(current, versionOf(row))) continue;
    if (tombstone !== undefined && isOlderVersion(current, versionOf(tombstone))) continue;
    const known = row ?? tombstone;
    steps.push({
      state: write.state,
      facts: write.facts,
      stored: row === undefined ? null : storedAccountOf(write, row),
      wasClosed: tombstone !== undefined,
      hadLife: known !== undefined && (flagsOf(known) & lastLifeBit) !== 0,
    });
  }
  return steps;
};

const storedAccountOf = ({ state, facts }: AccountWrite, row: TextRow): StoredAccount => ({
  lamports: lamportsOf(row),
  flags: flagsOf(row),
  holding: holdingOf(state.current.address, row, facts.holding),
});

const addressColumn: Columns = [["address", "bytea"]];

const notOlder = (table: string): string =>
  `WHERE (${table}.slot, ${table}.write_version) <= (excluded.slot, excluded.write_version)`;

const putAccounts = bulkUpsert("account", accountColumns, ["address"], notOlder("account"));
const deleteAccounts = bulkDelete("account", addressColumn);
const putTombstones = bulkUpsert("tombstone", versionColumns, ["address"], notOlder("tombstone"));
const deleteTombstones = bulkDelete("tombstone", addressColumn);
const putLives = bulkUpsert("last_life", lifeColumns, ["address"]);
const deleteLives = bulkDelete("last_life", addressColumn);

/** @param made - the parameters of all living accounts, if they already exist */
const writeRows = async (
  session: Session,
  steps: readonly Step[],
  programOf: ProgramId,
  made: readonly (readonly Buffer[])[] | null,
): Promise<void> => {
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
    ...(made ?? accountParameters(living, programOf)).map((parameters) =>
      session.run(putAccounts.statement, ...parameters),
    ),
  ]);
};

const writeLastLives = async (
  session: Session,
  steps: readonly Step[],
  programOf: ProgramId,
): Promise<void> => {
  const kept = steps.filter(({ state }) => state.lastLife !== null);
  await Promise.all([
    runBulk(
      session,
      deleteLives,
      addressesOf(steps.filter(({ state, hadLife }) => hadLife && state.lastLife === null)),
    ),
    runBulk(
      session,
      putLives,
      kept.map(({ state }) => lifeValues(state.lastLife as Account, programOf, 0)),
    ),
  ]);
};

const isLiving = ({ state }: AccountWrite): boolean => state.current.lamports > 0n;

const addressesOf = (steps: readonly Step[]): Element[][] =>
  steps.map(({ state }) => [state.current.address]);
