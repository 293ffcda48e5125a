import type { AccountFacts, AddressBytes, Holding, StakeHold } from "@lamplight/core";
import { holdingBit, stakeHoldBit } from "../columns/account-row.ts";
import { u64ToColumn } from "../columns/u64-column.ts";
import type { Connection } from "../engine/connection.ts";
import type { HeadDraft } from "./write-head.ts";

/** Keeps `holding` (unless the store leaves it out) and `stake_hold` equal to the facts of the living accounts. */
export interface FactsWriter {
  /** @param flagsBefore - flags of the row that is replaced, 0 when there is none */
  replace(address: AddressBytes, flagsBefore: number, facts: AccountFacts, head: HeadDraft): void;
}

export const prepareFactsWriter = (connection: Connection, holdings: boolean): FactsWriter => {
  const putHolding = connection.prepare(
    `INSERT INTO holding (token_account, token_owner, mint, positive) VALUES (?, ?, ?, ?)
ON CONFLICT (token_account) DO UPDATE SET token_owner = excluded.token_owner, mint = excluded.mint, positive = excluded.positive
WHERE token_owner <> excluded.token_owner OR mint <> excluded.mint OR positive <> excluded.positive`,
  );
  const removeHolding = connection.prepare("DELETE FROM holding WHERE token_account = ?");
  const putHold = connection.prepare(
    `INSERT INTO stake_hold (address, lamports, lockup_timestamp, lockup_epoch, listed) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (address) DO UPDATE SET lamports = excluded.lamports, lockup_timestamp = excluded.lockup_timestamp,
lockup_epoch = excluded.lockup_epoch, listed = excluded.listed`,
  );
  const removeHold = connection.prepare("DELETE FROM stake_hold WHERE address = ?");

  const replaceHolding = (address: AddressBytes, flagsBefore: number, holding: Holding | null): void => {
    if (holding !== null) {
      putHolding.run(holding.tokenAccount, holding.tokenOwner, holding.mint, Number(holding.positive));
    } else if ((flagsBefore & holdingBit) !== 0) removeHolding.run(address);
  };
  const insertHold = (hold: StakeHold): void => {
    putHold.run(
      hold.address,
      u64ToColumn(hold.lamports),
      hold.lockupTimestamp,
      u64ToColumn(hold.lockupEpoch),
      Number(hold.listedWithdrawer),
    );
  };

  return {
    replace: (address, flagsBefore, facts, head) => {
      if (holdings) replaceHolding(address, flagsBefore, facts.holding);
      const hadHold = (flagsBefore & stakeHoldBit) !== 0;
      if (facts.stakeHold !== null) insertHold(facts.stakeHold);
      else if (hadHold) removeHold.run(address);
      head.stakeHolds += Number(facts.stakeHold !== null) - Number(hadHold);
    },
  };
};
