import type { AddressBytes, Holding } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

export const listHoldingsSql =
  "SELECT token_account, positive FROM holding WHERE token_owner = ? AND mint = ? ORDER BY token_account";

/** Token accounts of one owner in some mints; a read of the primary key per mint. */
export const prepareListHoldings = (
  connection: Connection,
): ((tokenOwner: AddressBytes, mints: readonly AddressBytes[]) => readonly Holding[]) => {
  const statement = connection.prepare(listHoldingsSql);
  return (tokenOwner, mints) =>
    mints.flatMap((mint) =>
      statement.all(tokenOwner, mint).map((row) => ({
        tokenAccount: row[0] as Uint8Array,
        tokenOwner,
        mint,
        positive: row[1] === 1n,
      })),
    );
};
