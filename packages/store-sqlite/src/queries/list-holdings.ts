import type { Holding, HoldingQuery, WalletQuery } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

/** A bare `LIMIT ?` would make the engine plan the statement again for every value bound to it. */
export const listHoldingsSql = `SELECT token_account, positive FROM holding
WHERE token_owner = ? AND mint = ? AND token_account > ? ORDER BY token_account LIMIT ? + 0`;

export const listWalletSql = `SELECT mint, token_account, positive FROM holding
WHERE token_owner = ? AND (mint, token_account) > (?, ?) ORDER BY mint, token_account LIMIT ? + 0`;

/** This number means no limit to the engine. */
const UNLIMITED = -1;

const beforeAll = new Uint8Array(0);

/** Token accounts of one owner in some mints; a read of the primary key per mint. */
export const prepareListHoldings = (
  connection: Connection,
): ((query: HoldingQuery) => readonly Holding[]) => {
  const statement = connection.prepare(listHoldingsSql);
  return ({ tokenOwner, mints, after = beforeAll, limit = UNLIMITED }) =>
    mints.flatMap((mint) =>
      statement.all(tokenOwner, mint, after, limit).map((row) => ({
        tokenAccount: row[0] as Uint8Array,
        tokenOwner,
        mint,
        positive: row[1] === 1n,
      })),
    );
};

const firstPlace = { mint: beforeAll, tokenAccount: beforeAll };

/** Token accounts of one owner in every mint; a range of the primary key. */
export const prepareListWallet = (connection: Connection): ((query: WalletQuery) => readonly Holding[]) => {
  const statement = connection.prepare(listWalletSql);
  return ({ tokenOwner, after = firstPlace, limit }) =>
    statement.all(tokenOwner, after.mint, after.tokenAccount, limit).map((row) => ({
      tokenAccount: row[1] as Uint8Array,
      tokenOwner,
      mint: row[0] as Uint8Array,
      positive: row[2] === 1n,
    }));
};
