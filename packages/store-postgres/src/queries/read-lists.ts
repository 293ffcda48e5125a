import {
  type AddressBytes,
  type Holding,
  type HoldingQuery,
  holdingsNotIndexed,
  type LedgerKind,
  ledgerKindNumber,
  type LedgerState,
  type Link,
  type LinkRole,
  linkRoles,
  roleNumber,
  type Slot,
  type WalletQuery,
} from "@lamplight/core";
import { byKey, mapKeyOf } from "../columns/keys.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

const linkPage = statement(
  "SELECT source FROM link WHERE target = $1 AND role = $2 AND source > $3 ORDER BY source LIMIT $4",
);
const linksOfTargets = statement(`SELECT target, role, source FROM (
  SELECT target, role, source, row_number() OVER (PARTITION BY target, role ORDER BY source) AS place
  FROM link WHERE target = ANY ($1::bytea[]) AND role = ANY ($2::smallint[])
) AS ranked WHERE place <= $3 ORDER BY target, role, source`);

export const readLinkPage = async (
  db: Statements,
  target: AddressBytes,
  role: LinkRole,
  after: AddressBytes | null,
  limit: number,
): Promise<readonly Link[]> => {
  const rows = await db.all(linkPage, target, roleNumber(role), after ?? new Uint8Array(0), limit);
  return rows.map((row) => ({ role, target, source: row[0] as Uint8Array }));
};

/** Reads links in the order asked: by target, then role, then ascending by source. */
export const readLinks = async (
  db: Statements,
  targets: readonly AddressBytes[],
  roles: readonly LinkRole[],
  limit: number,
): Promise<readonly Link[]> => {
  if (targets.length === 0 || roles.length === 0) return [];
  const rows = await db.all(
    linksOfTargets,
    arrayParameter("bytea", targets),
    arrayParameter("smallint", roles.map(roleNumber)),
    limit,
  );
  const found = new Map<string, Link[]>();
  for (const [target, number, source] of rows) {
    const role = linkRoles[number as number] as LinkRole;
    const key = `${role} ${mapKeyOf(target as Uint8Array)}`;
    const links = found.get(key) ?? [];
    links.push({ role, target: target as Uint8Array, source: source as Uint8Array });
    found.set(key, links);
  }
  return targets.flatMap((target) => roles.flatMap((role) => found.get(`${role} ${mapKeyOf(target)}`) ?? []));
};

const ledgerStates = statement(
  "SELECT key, tree, state FROM ledger WHERE kind = $1 AND key = ANY ($2::bytea[])",
);

export const readLedger = async (
  db: Statements,
  kind: LedgerKind,
  keys: readonly AddressBytes[],
): Promise<readonly (LedgerState | null)[]> => {
  if (keys.length === 0) return [];
  return ledgerIn(
    await db.all(ledgerStates, ledgerKindNumber(kind), arrayParameter("bytea", keys)),
    kind,
    keys,
  );
};

/** @param rows - of key, tree and state */
export const ledgerIn = (
  rows: readonly Row[],
  kind: LedgerKind,
  keys: readonly AddressBytes[],
): readonly (LedgerState | null)[] => {
  const found = byKey(rows);
  return keys.map((key) => {
    const row = found.get(mapKeyOf(key));
    return row === undefined ? null : { kind, key, tree: row[1] as Uint8Array, state: row[2] as string };
  });
};

const treePage = statement(
  "SELECT key, state FROM ledger WHERE kind = $1 AND key > $2 ORDER BY key LIMIT $3",
);

export const readTrees = async (
  db: Statements,
  after: AddressBytes | null,
  limit: number,
): Promise<readonly LedgerState[]> => {
  const rows = await db.all(treePage, ledgerKindNumber("tree"), after ?? new Uint8Array(0), limit);
  return rows.map((row) => {
    const key = row[0] as Uint8Array;
    return { kind: "tree", key, tree: key, state: row[1] as string };
  });
};

const seenSlots = statement("SELECT id, slot FROM asset_seen WHERE id = ANY ($1::bytea[])");

export const readSeenSlots = async (
  db: Statements,
  ids: readonly AddressBytes[],
): Promise<readonly (Slot | null)[]> => {
  if (ids.length === 0) return [];
  const found = byKey(await db.all(seenSlots, arrayParameter("bytea", ids)));
  return ids.map((id) => {
    const row = found.get(mapKeyOf(id));
    return row === undefined ? null : Number(row[1]);
  });
};

/** Reads each mint by itself, because the rows of all mints would have to be sorted before a limit. */
const holdingsOfOwner = statement(`SELECT held.mint, held.token_account, held.positive
FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (mint, place), LATERAL (
  SELECT mint, token_account, positive FROM holding
  WHERE token_owner = $1 AND holding.mint = asked.mint AND token_account > $3 ORDER BY token_account LIMIT $4
) AS held ORDER BY asked.place, held.token_account`);

const holdingsOfWallet = statement(`SELECT mint, token_account, positive FROM holding
WHERE token_owner = $1 AND (mint, token_account) > ($2, $3) ORDER BY mint, token_account LIMIT $4`);

const beforeAll = new Uint8Array(0);

/** Token accounts of one owner in some mints. */
export const listHoldings = async (
  db: Statements,
  hasHoldings: boolean,
  { tokenOwner, mints, after = beforeAll, limit }: HoldingQuery,
): Promise<readonly Holding[]> => {
  if (!hasHoldings) throw holdingsNotIndexed();
  if (mints.length === 0) return [];
  const rows = await db.all(
    holdingsOfOwner,
    tokenOwner,
    arrayParameter("bytea", mints),
    after,
    limit ?? null,
  );
  return rows.map((row) => holdingOf(tokenOwner, row));
};

const firstPlace = { mint: beforeAll, tokenAccount: beforeAll };

/** Token accounts of one owner in every mint. */
export const listWallet = async (
  db: Statements,
  hasHoldings: boolean,
  { tokenOwner, after = firstPlace, limit }: WalletQuery,
): Promise<readonly Holding[]> => {
  if (!hasHoldings) throw holdingsNotIndexed();
  const rows = await db.all(holdingsOfWallet, tokenOwner, after.mint, after.tokenAccount, limit);
  return rows.map((row) => holdingOf(tokenOwner, row));
};

const holdingOf = (tokenOwner: AddressBytes, row: readonly unknown[]): Holding => ({
  tokenAccount: row[1] as Uint8Array,
  tokenOwner,
  mint: row[0] as Uint8Array,
  positive: row[2] as boolean,
});
