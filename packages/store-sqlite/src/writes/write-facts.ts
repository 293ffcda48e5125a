import {
  type Account,
  type AccountFacts,
  type AddressBytes,
  deriveAccountFacts,
  type Holding,
  type NonCirculatingStake,
  holdingBit,
  nonCirculatingStakeBit,
  u64ToColumn,
} from "@lamplight/core";
import { sameKeyBytes } from "../columns/account-key.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection } from "../engine/connection.ts";
import { prepareFindAccount } from "../queries/find-account.ts";
import type { HeadDraft } from "./write-head.ts";
import type { HoldersWriter } from "./write-holders.ts";

/**
 * Keeps `holding` (unless the store leaves it out), `holder` (where the store has it) and `stake_hold` equal to the facts
 * of the living accounts.
 */
export interface FactsWriter {
  /**
   * The caller calls it before it replaces the account's row: the old holding is read from the old bytes.
   *
   * @param current - the account that replaces it
   * @param flagsBefore - flags of the row that is replaced, 0 when there is none
   * @param before - facts of the account in that row, if the caller knows them
   */
  replace(
    current: Account,
    flagsBefore: number,
    before: AccountFacts | null,
    facts: AccountFacts,
    head: HeadDraft,
  ): void;
}

export const prepareFactsWriter = (
  connection: Connection,
  programs: ProgramDictionary,
  holdings: boolean,
  holders: HoldersWriter,
): FactsWriter => {
  const findAccount = prepareFindAccount(connection, programs.addressOf);
  const holdingBefore = (
    address: AddressBytes,
    flagsBefore: number,
    before: AccountFacts | null,
  ): Holding | null => {
    if (before !== null) return before.holding;
    const account = (flagsBefore & holdingBit) === 0 ? null : findAccount(address);
    return account === null ? null : deriveAccountFacts(account).holding;
  };
  const replaceHolding = prepareReplaceHolding(connection);
  const putHold = connection.prepare(
    `INSERT INTO stake_hold (address, lamports, lockup_timestamp, lockup_epoch, listed) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (address) DO UPDATE SET lamports = excluded.lamports, lockup_timestamp = excluded.lockup_timestamp,
lockup_epoch = excluded.lockup_epoch, listed = excluded.listed`,
  );
  const removeHold = connection.prepare("DELETE FROM stake_hold WHERE address = ?");

  const insertHold = (hold: NonCirculatingStake): void => {
    putHold.run(
      hold.address,
      u64ToColumn(hold.lamports),
      hold.lockupTimestamp,
      u64ToColumn(hold.lockupEpoch),
      Number(hold.listedWithdrawer),
    );
  };

  return {
    replace: (current, flagsBefore, before, facts, head) => {
      const { address } = current;
      if (holdings || holders.isKept) {
        const held = holdingBefore(address, flagsBefore, before);
        if (holdings) replaceHolding(held, facts.holding);
        if (holders.isKept) holders.replace(held, facts.holding, current);
      }
      const hadHold = (flagsBefore & nonCirculatingStakeBit) !== 0;
      if (facts.nonCirculatingStake !== null) insertHold(facts.nonCirculatingStake);
      else if (hadHold) removeHold.run(address);
      head.nonCirculatingStakes += Number(facts.nonCirculatingStake !== null) - Number(hadHold);
    },
  };
};

/**
 * One key contains owner, mint and token account. A second index by token account would take a third of the store,
 * and the account's own bytes already contain its owner and mint.
 */
const prepareReplaceHolding = (
  connection: Connection,
): ((before: Holding | null, after: Holding | null) => void) => {
  const put = connection.prepare(
    "INSERT OR REPLACE INTO holding (token_owner, mint, token_account, positive) VALUES (?, ?, ?, ?)",
  );
  const remove = connection.prepare(
    "DELETE FROM holding WHERE token_owner = ? AND mint = ? AND token_account = ?",
  );
  return (before, after) => {
    const isSameKey =
      before !== null &&
      after !== null &&
      sameKeyBytes(before.tokenOwner, after.tokenOwner) &&
      sameKeyBytes(before.mint, after.mint);
    if (isSameKey && before.positive === after.positive) return;
    if (before !== null && !isSameKey) remove.run(before.tokenOwner, before.mint, before.tokenAccount);
    if (after !== null) put.run(after.tokenOwner, after.mint, after.tokenAccount, Number(after.positive));
  };
};
