import { encodeAddress } from "@lamplight/codecs";
import {
  type Account,
  type AccountFacts,
  type AddressBytes,
  amountHeld,
  deriveAccountFacts,
  accountBits,
  accountRowColumns,
  decodeAccountRow,
  holdingBit,
  lastLifeBit,
  nonCirculatingStakeBit,
  u64ToColumn,
  type HeadRow,
} from "@lamplight/core";
import { addressOfKey, compareBytes } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection, Row } from "../engine/connection.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { prepareReadHead } from "../queries/read-head.ts";
import { prepareReadSettings } from "../queries/read-head.ts";

/** Rows that the accounts require, to be compared with the stored rows. */
interface Tally {
  holdings: number;
  holders: number;
  nonCirculatingStakes: number;
  topAccounts: number;
  lastLives: number;
}

/**
 * Checks every secondary index against the bytes of the living accounts. Every required row must exist, and the
 * counts show that there are no others.
 */
export const checkAccountIndexes = (
  connection: Connection,
  programs: ProgramDictionary,
): readonly string[] => {
  const problems: string[] = [];
  const tally: Tally = { holdings: 0, holders: 0, nonCirculatingStakes: 0, topAccounts: 0, lastLives: 0 };
  const check = prepareCheck(connection, tally);
  for (const row of everyAccount(connection)) {
    const address = addressOfKey(row[0] as bigint, row[1] as Uint8Array);
    const account = decodeAccountRow(address, row, 4, programs.addressOf);
    const wrong = check(account, row);
    if (wrong.length > 0) problems.push(`account ${encodeAddress(address)}: ${wrong.join(", ")}`);
    if (problems.length >= PROBLEMS_MAX) return problems;
  }
  // A run that was stopped leaves rows that nothing reads.
  const { holders } = prepareReadSettings(connection)();
  const counted = {
    ...(holders ? { holder: tally.holders } : {}),
    holding: tally.holdings,
    stake_hold: tally.nonCirculatingStakes,
    top_account: tally.topAccounts,
    last_life: tally.lastLives,
  };
  for (const [table, wanted] of Object.entries(counted)) {
    const found = connection.readNumber(`SELECT count(*) FROM ${table}`);
    if (found !== wanted) problems.push(`${table} has ${found} rows; the accounts need ${wanted}`);
  }
  return holders ? [...problems, ...checkHolderCounts(connection)] : problems;
};

/** The numbers of each mint, which are written next to the rows. */
const checkHolderCounts = (connection: Connection): readonly string[] =>
  connection
    .prepare(
      `SELECT mint FROM (
  SELECT mint, sum(positive), sum(1 - positive) FROM holder GROUP BY mint EXCEPT SELECT * FROM holder_count)
UNION SELECT mint FROM (
  SELECT * FROM holder_count EXCEPT SELECT mint, sum(positive), sum(1 - positive) FROM holder GROUP BY mint)
LIMIT ${PROBLEMS_MAX}`,
    )
    .all()
    .map(([mint]) => `mint ${encodeAddress(mint as Uint8Array)}: its token accounts are counted wrongly`);

function* everyAccount(connection: Connection): Generator<Row> {
  for (const table of ["account", "account_collision"]) {
    const page = connection.prepare(
      `SELECT id, tail, delegate, delegate_mint, ${accountRowColumns} FROM ${table}
WHERE (id, tail) > (?1, ?2) ORDER BY id, tail LIMIT ${INTEGRITY_PAGE_ROWS}`,
    );
    let rows = page.all(-(2n ** 63n), new Uint8Array(0));
    while (rows.length > 0) {
      yield* rows;
      const last = rows.at(-1) as Row;
      rows = page.all(last[0] as bigint, last[1] as Uint8Array);
    }
  }
}

const prepareCheck = (connection: Connection, tally: Tally): ((account: Account, row: Row) => string[]) => {
  const head = prepareReadHead(connection)();
  const { holdings, holders } = prepareReadSettings(connection)();
  const hasHolding = connection.prepare(
    "SELECT 1 FROM holding WHERE token_account = ? AND token_owner = ? AND mint = ? AND positive = ?",
  );
  const hasHolder = connection.prepare(
    "SELECT 1 FROM holder WHERE mint = ? AND positive = ? AND token_account = ? AND amount = ?",
  );
  const hasHold = connection.prepare(
    "SELECT 1 FROM stake_hold WHERE address = ? AND lamports = ? AND lockup_timestamp = ? AND lockup_epoch = ? AND listed = ?",
  );
  const hasLife = connection.prepare("SELECT 1 FROM last_life WHERE id = ? AND tail = ?");
  const isTop = connection.prepare("SELECT 1 FROM top_account WHERE lamports = ? AND address = ?");

  const isHoldingWrong = ({ holding }: AccountFacts): boolean => {
    if (holding === null || !holdings) return false;
    tally.holdings += 1;
    const { tokenAccount, tokenOwner, mint, positive } = holding;
    return hasHolding.get(tokenAccount, tokenOwner, mint, Number(positive)) === undefined;
  };
  const isHolderWrong = (account: Account, { holding }: AccountFacts): boolean => {
    if (holding === null || !holders) return false;
    tally.holders += 1;
    const { tokenAccount, mint, positive } = holding;
    const amount = u64ToColumn(amountHeld(account, holding));
    return hasHolder.get(mint, Number(positive), tokenAccount, amount) === undefined;
  };
  const isHoldWrong = ({ nonCirculatingStake }: AccountFacts): boolean => {
    if (nonCirculatingStake === null) return false;
    tally.nonCirculatingStakes += 1;
    const { address, lockupTimestamp, listedWithdrawer } = nonCirculatingStake;
    const [lamports, epoch] = [
      u64ToColumn(nonCirculatingStake.lamports),
      u64ToColumn(nonCirculatingStake.lockupEpoch),
    ];
    return hasHold.get(address, lamports, lockupTimestamp, epoch, Number(listedWithdrawer)) === undefined;
  };
  const areFlagsWrong = (flags: number, row: Row): boolean => {
    if ((flags & lastLifeBit) === 0) return (flags & ~accountBits) !== 0;
    tally.lastLives += 1;
    return (flags & ~accountBits) !== 0 || hasLife.get(row[0] as bigint, row[1] as Uint8Array) === undefined;
  };
  const isTopWrong = (account: Account): boolean => {
    if (!isAboveFloor(account, head)) return false;
    tally.topAccounts += 1;
    return isTop.get(u64ToColumn(account.lamports), account.address) === undefined;
  };

  return (account, row) => {
    const facts = deriveAccountFacts(account);
    const flags = Number(row[8]);
    const wrong = {
      "has no lamports": account.lamports === 0n,
      "its flags are wrong": areFlagsWrong(flags, row),
      "its delegate is indexed wrongly":
        !sameKey(row[2], facts.delegate) || !sameKey(row[3], facts.delegateMint),
      "its holding is indexed wrongly":
        isHoldingWrong(facts) || ((flags & holdingBit) !== 0) !== (facts.holding !== null),
      "its amount is indexed wrongly": isHolderWrong(account, facts),
      "its stake hold is indexed wrongly":
        isHoldWrong(facts) ||
        ((flags & nonCirculatingStakeBit) !== 0) !== (facts.nonCirculatingStake !== null),
      "it is missing among the largest": isTopWrong(account),
    };
    return Object.entries(wrong)
      .filter(([, isWrong]) => isWrong)
      .map(([problem]) => problem);
  };
};

const isAboveFloor = (account: Account, head: HeadRow): boolean =>
  account.lamports > head.floorLamports ||
  (account.lamports === head.floorLamports && compareBytes(account.address, head.floorAddress) >= 0);

const sameKey = (stored: unknown, derived: AddressBytes | null): boolean =>
  stored === null || derived === null
    ? stored === derived
    : compareBytes(stored as Uint8Array, derived) === 0;
