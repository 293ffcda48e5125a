import { encodeAddress, programAddresses, sysvarAddresses } from "@lamplight/codecs";
import type { Account, Coverage, FilteredCoverage } from "@lamplight/core";
import { usageError } from "@lamplight/errors";
import type { AccountsFilter } from "@lamplight/sources/yellowstone";

/** Single accounts in one request. Servers accept requests of up to 4 MiB. */
export const SINGLE_ACCOUNTS_MAX = 50_000;

const system = encodeAddress(programAddresses.system);

/**
 * The filters of a stream that keep a store's coverage up to date.
 *
 * @throws LamplightError `CLI__USAGE` for a store that covers what no stream can be asked for
 */
export const filtersOf = (coverage: Coverage): Readonly<Record<string, AccountsFilter>> => {
  if (coverage.kind === "whole") return { all: {} };
  const { owners, mints, collections } = coverage;
  if (coverage.dumps === true) {
    throw usageError(
      "a store of account dumps cannot follow a stream: the dumped accounts would become outdated; load a ledger snapshot into a new store",
    );
  }
  if (owners.length + mints.length + collections.length > 0) {
    throw usageError(
      "only a store that covers the whole chain, whole programs or single accounts can follow a stream of accounts",
    );
  }
  const programs = programsOf(coverage);
  const singles = singlesOf(coverage);
  if (singles.length > SINGLE_ACCOUNTS_MAX) {
    throw usageError(
      `the store covers more than ${SINGLE_ACCOUNTS_MAX} single accounts: a stream cannot be asked for so many`,
    );
  }
  const closed = { owner: [system], lamportsEqual: 0n };
  // A closed account belongs to the System program. Without `closed`, the stream would not report its end.
  return programs.length === 0
    ? { singles: { account: singles } }
    : { programs: { owner: programs }, closed, singles: { account: singles } };
};

/** Whether a store keeps this version of the account. */
export const coversAccount = (coverage: Coverage): ((account: Account) => boolean) => {
  if (coverage.kind === "whole") return () => true;
  const programs = new Set(programsOf(coverage));
  const singles = new Set(singlesOf(coverage));
  return ({ address, programOwner }) =>
    programs.has(encodeAddress(programOwner)) || singles.has(encodeAddress(address));
};

/** Whole programs, those that are being added too. */
const programsOf = ({ programs, filling = [] }: FilteredCoverage): readonly string[] => [
  ...programs,
  ...filling.map(({ program }) => program),
];

/** Accounts in addition to whole programs. Answers about tokens need the chain's clock. */
export const singlesOf = ({ accounts = [], trees = [] }: FilteredCoverage): readonly string[] => [
  ...new Set([encodeAddress(sysvarAddresses.clock), ...accounts, ...trees]),
];
