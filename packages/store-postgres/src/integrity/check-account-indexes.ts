import { encodeAddress } from "@lamplight/codecs";
import {
  type Account,
  type AccountFacts,
  type AddressBytes,
  amountHeld,
  deriveAccountFacts,
  type Holding,
  type NonCirculatingStake,
  accountRowColumns,
  holdingBit,
  nonCirculatingStakeBit,
  u64FromColumn,
  u64ToColumn,
} from "@lamplight/core";
import { byKey, compareBytes, mapKeyOf } from "../columns/keys.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Session } from "../engine/session.ts";
import { INTEGRITY_PAGE_ROWS, PROBLEMS_MAX } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";
import { decodeAll } from "../queries/find-account.ts";
import { type Head, readHead, readSettings, type StoreSettings } from "../queries/read-head.ts";

const accountPage = statement(`SELECT address, delegate, delegate_mint, ${accountRowColumns} FROM account
WHERE address > $1 ORDER BY address LIMIT $2`);
const FIRST_ACCOUNT_COLUMN = 3;
const FLAGS_COLUMN = FIRST_ACCOUNT_COLUMN + 4;
const topOf = statement("SELECT address, lamports FROM top_account WHERE address = ANY ($1::bytea[])");
const holdsOf = statement(`SELECT address, lamports, lockup_timestamp, lockup_epoch, listed FROM stake_hold
WHERE address = ANY ($1::bytea[])`);
const holdingsOf = statement(`SELECT token_account, mint, token_owner, positive FROM holding
WHERE (token_owner, mint, token_account) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]))`);
const holdersOf = statement(`SELECT token_account, amount FROM holder
WHERE (mint, positive, token_account) IN (SELECT * FROM unnest($1::bytea[], $2::boolean[], $3::bytea[]))`);
const counts = statement(
  "SELECT (SELECT count(*) FROM holding), (SELECT count(*) FROM stake_hold), (SELECT count(*) FROM top_account)",
);
const holdersInAll = statement("SELECT count(*) FROM holder");
const wrongHolderCounts = statement(`SELECT mint FROM (
  SELECT mint, positive, empty, 1 AS mints FROM holder_count
  UNION ALL
  SELECT mint, -count(*) FILTER (WHERE positive), -count(*) FILTER (WHERE NOT positive), -1 FROM holder GROUP BY mint
) AS noted_and_counted
GROUP BY mint HAVING sum(positive) <> 0 OR sum(empty) <> 0 OR sum(mints) <> 0 LIMIT ${PROBLEMS_MAX}`);

/** Rows that the accounts require, to be compared with the stored rows. */
interface Tally {
  holding: number;
  holder: number;
  stake_hold: number;
  top_account: number;
}

/**
 * Checks every secondary index against the bytes of the living accounts. Every required row must exist, and the
 * counts show that there are no others.
 */
export const checkAccountIndexes = async (
  session: Session,
  programs: ProgramDictionary,
): Promise<readonly string[]> => {
  const [head, settings] = [await readHead(session), await readSettings(session)];
  const tally: Tally = { holding: 0, holder: 0, stake_hold: 0, top_account: 0 };
  const problems: string[] = [];
  let after = new Uint8Array(0);
  for (;;) {
    const rows = await session.all(accountPage, after, INTEGRITY_PAGE_ROWS);
    const accounts = await decodeAll(
      session,
      programs,
      rows,
      (row) => row[0] as AddressBytes,
      FIRST_ACCOUNT_COLUMN,
    );
    const page = accounts.map((account, index) => ({
      account,
      row: rows[index] as Row,
      facts: deriveAccountFacts(account),
    }));
    problems.push(...(await checkPage(session, page, head, settings, tally)));
    if (problems.length >= PROBLEMS_MAX) return problems.slice(0, PROBLEMS_MAX);
    if (rows.length < INTEGRITY_PAGE_ROWS) break;
    after = rows.at(-1)?.[0] as Uint8Array<ArrayBuffer>;
  }
  problems.push(...(await compareCounts(session, tally)));
  // A run that was stopped leaves rows that nothing reads.
  return settings.holders ? [...problems, ...(await checkHolders(session, tally.holder))] : problems;
};

interface Checked {
  readonly account: Account;
  readonly row: Row;
  readonly facts: AccountFacts;
}

const checkPage = async (
  session: Session,
  page: readonly Checked[],
  head: Head,
  { holdings, holders }: StoreSettings,
  tally: Tally,
): Promise<readonly string[]> => {
  if (page.length === 0) return [];
  const asked = arrayParameter(
    "bytea",
    page.map(({ account }) => account.address),
  );
  const [tops, holds, held, amounts] = await Promise.all([
    session.all(topOf, asked),
    session.all(holdsOf, asked),
    readHoldings(session, page),
    holders ? readHolders(session, page) : new Map<string, Row>(),
  ]);
  const [topByKey, holdByKey] = [byKey(tops), byKey(holds)];
  return page.flatMap(({ account, row, facts }) => {
    const key = mapKeyOf(account.address);
    const isTop = isAboveFloor(account, head);
    tally.top_account += Number(isTop);
    tally.stake_hold += Number(facts.nonCirculatingStake !== null);
    tally.holding += Number(holdings && facts.holding !== null);
    tally.holder += Number(holders && facts.holding !== null);
    const flags = Number(row[FLAGS_COLUMN]);
    const wrong = {
      "has no lamports": account.lamports === 0n,
      "its delegate is indexed wrongly":
        !sameKey(row[1], facts.delegate) || !sameKey(row[2], facts.delegateMint),
      "its holding is indexed wrongly":
        (holdings && !sameHolding(held.get(key), facts.holding)) ||
        ((flags & holdingBit) !== 0) !== (facts.holding !== null),
      "its amount is indexed wrongly":
        holders &&
        facts.holding !== null &&
        amounts.get(key)?.[1] !== u64ToColumn(amountHeld(account, facts.holding)),
      "its stake hold is indexed wrongly":
        !sameHold(holdByKey.get(key), facts.nonCirculatingStake) ||
        ((flags & nonCirculatingStakeBit) !== 0) !== (facts.nonCirculatingStake !== null),
      "it is missing among the largest":
        isTop && u64FromColumn((topByKey.get(key)?.[1] ?? 0n) as bigint) !== account.lamports,
    };
    const named = Object.entries(wrong).flatMap(([problem, isWrong]) => (isWrong ? [problem] : []));
    return named.length === 0 ? [] : [`account ${encodeAddress(account.address)}: ${named.join(", ")}`];
  });
};

const readHoldings = async (
  session: Session,
  page: readonly Checked[],
): Promise<ReadonlyMap<string, Row>> => {
  const asked = page.flatMap(({ facts }) => facts.holding ?? []);
  if (asked.length === 0) return new Map();
  const column = (of: (holding: Holding) => AddressBytes): Buffer => arrayParameter("bytea", asked.map(of));
  return byKey(
    await session.all(
      holdingsOf,
      column(({ tokenOwner }) => tokenOwner),
      column(({ mint }) => mint),
      column(({ tokenAccount }) => tokenAccount),
    ),
  );
};

const readHolders = async (session: Session, page: readonly Checked[]): Promise<ReadonlyMap<string, Row>> => {
  const asked = page.flatMap(({ facts }) => facts.holding ?? []);
  return byKey(
    await session.all(
      holdersOf,
      arrayParameter(
        "bytea",
        asked.map(({ mint }) => mint),
      ),
      arrayParameter(
        "boolean",
        asked.map(({ positive }) => positive),
      ),
      arrayParameter(
        "bytea",
        asked.map(({ tokenAccount }) => tokenAccount),
      ),
    ),
  );
};

const compareCounts = async (session: Session, tally: Tally): Promise<readonly string[]> => {
  const row = (await session.get(counts)) as Row;
  return (["holding", "stake_hold", "top_account"] as const).flatMap((table, index) =>
    compareCount(table, Number(row[index]), tally[table]),
  );
};

const compareCount = (table: string, found: number, wanted: number): readonly string[] =>
  found === wanted ? [] : [`${table} has ${found} rows; the accounts need ${wanted}`];

/** How many rows there are, and the numbers of each mint, which are written next to them. */
const checkHolders = async (session: Session, wanted: number): Promise<readonly string[]> => {
  const found = Number((await session.get(holdersInAll))?.[0]);
  const wrong = await session.all(wrongHolderCounts);
  return [
    ...compareCount("holder", found, wanted),
    ...wrong.map(
      ([mint]) => `mint ${encodeAddress(mint as Uint8Array)}: its token accounts are counted wrongly`,
    ),
  ];
};

const isAboveFloor = (account: Account, head: Head): boolean =>
  account.lamports > head.floorLamports ||
  (account.lamports === head.floorLamports && compareBytes(account.address, head.floorAddress) >= 0);

const sameKey = (stored: unknown, derived: AddressBytes | null): boolean =>
  stored === null || derived === null
    ? stored === derived
    : compareBytes(stored as Uint8Array, derived) === 0;

/** The row of a holding, found by its complete key. */
const sameHolding = (stored: Row | undefined, derived: Holding | null): boolean =>
  derived === null || stored?.[3] === derived.positive;

const sameHold = (stored: Row | undefined, derived: NonCirculatingStake | null): boolean => {
  if (stored === undefined || derived === null) return stored === undefined && derived === null;
  return (
    u64FromColumn(stored[1] as bigint) === derived.lamports &&
    stored[2] === derived.lockupTimestamp &&
    u64FromColumn(stored[3] as bigint) === derived.lockupEpoch &&
    stored[4] === derived.listedWithdrawer
  );
};
