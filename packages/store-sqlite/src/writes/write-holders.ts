import {
  type Account,
  amountHeld,
  deriveAccountFacts,
  type HolderIndex,
  holdersKey,
  type Holding,
  u64ToColumn,
} from "@lamplight/core";
import { sameKeyBytes } from "../columns/account-key.ts";
import type { Connection } from "../engine/connection.ts";

/** Keeps the token accounts of each mint while the store has them, and makes them. */
export interface HoldersWriter extends HolderIndex {
  /**
   * @param before - the holding in the row that is replaced
   * @param after - the holding of `current`
   */
  replace(before: Holding | null, after: Holding | null, current: Account): void;
}

/** @param isKept - whether the store had them when it was opened */
export const prepareHoldersWriter = (connection: Connection, isKept: boolean): HoldersWriter => {
  const put =
    connection.prepare(`INSERT INTO holder (mint, positive, token_account, amount) VALUES (?, ?, ?, ?)
ON CONFLICT (mint, positive, token_account) DO UPDATE SET amount = excluded.amount WHERE amount <> excluded.amount`);
  const remove = connection.prepare(
    "DELETE FROM holder WHERE mint = ? AND positive = ? AND token_account = ?",
  );
  const count = connection.prepare(`INSERT INTO holder_count (mint, positive, empty) VALUES (?, ?, ?)
ON CONFLICT (mint) DO UPDATE SET positive = positive + excluded.positive, empty = empty + excluded.empty`);
  const removeCount = connection.prepare(
    "DELETE FROM holder_count WHERE mint = ? AND positive = 0 AND empty = 0",
  );
  const addCount = ({ mint, positive }: Holding, number: number): void => {
    count.run(mint, positive ? number : 0, positive ? 0 : number);
    if (number < 0) removeCount.run(mint);
  };
  const replace: HoldersWriter["replace"] = (before, after, current) => {
    const isSameKey = before !== null && after !== null && isSamePlace(before, after);
    if (before !== null && !isSameKey) {
      remove.run(before.mint, Number(before.positive), before.tokenAccount);
      addCount(before, -1);
    }
    if (after === null) return;
    const amount = u64ToColumn(amountHeld(current, after));
    put.run(after.mint, Number(after.positive), after.tokenAccount, amount);
    if (!isSameKey) addCount(after, 1);
  };
  const state = { isKept };
  return {
    get isKept() {
      return state.isKept;
    },
    replace,
    begin: async () =>
      connection.write(() => connection.execute("DELETE FROM holder; DELETE FROM holder_count")),
    add: async (accounts) =>
      connection.write(() => {
        const held = accounts.flatMap((account) => {
          const { holding } = deriveAccountFacts(account);
          return holding === null ? [] : [{ account, holding }];
        });
        for (const { account, holding } of held) replace(null, holding, account);
        return held.length;
      }),
    finish: async () => {
      connection.write(() => {
        connection.execute(`INSERT OR REPLACE INTO meta (key, value) VALUES ('${holdersKey}', 'on')`);
        connection.execute("UPDATE head SET settings_revision = settings_revision + 1");
      });
      state.isKept = true;
    },
  };
};

const isSamePlace = (one: Holding, other: Holding): boolean =>
  one.positive === other.positive && sameKeyBytes(one.mint, other.mint);
