import {
  type AccountWrite,
  type Holding,
  type NonCirculatingStake,
  nonCirculatingStakeBit,
  u64ToColumn,
} from "@lamplight/core";
import { compareBytes } from "../columns/keys.ts";
import type { Element } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { bulkDelete, bulkUpsert, type Columns, runBulk } from "./bulk.ts";
import type { HeadDraft } from "./write-head.ts";

/** A write that counts, with what it replaces. */
export interface Step extends AccountWrite {
  /** Null when there is no living row. */
  readonly stored: StoredAccount | null;
  readonly wasClosed: boolean;
  readonly hadLife: boolean;
}

export interface StoredAccount {
  readonly lamports: bigint;
  readonly flags: number;
  /** Null when the account had none. */
  readonly holding: Holding | null;
}

const holdingKey: Columns = [
  ["token_owner", "bytea"],
  ["mint", "bytea"],
  ["token_account", "bytea"],
];
const putHoldings = bulkUpsert(
  "holding",
  [...holdingKey, ["positive", "boolean"]],
  ["token_owner", "mint", "token_account"],
);
const deleteHoldings = bulkDelete("holding", holdingKey);

/** Keeps `holding` equal to the facts of the living accounts; what an account held is reported by its old bytes. */
export const writeHoldings = async (session: Session, steps: readonly Step[]): Promise<void> => {
  const gone: Element[][] = [];
  const put: Element[][] = [];
  for (const { stored, facts } of steps) {
    const before = stored?.holding ?? null;
    const after = facts.holding;
    if (before === after) continue;
    const isSameKey =
      before !== null &&
      after !== null &&
      compareBytes(before.tokenOwner, after.tokenOwner) === 0 &&
      compareBytes(before.mint, after.mint) === 0;
    if (isSameKey && before.positive === after.positive) continue;
    if (before !== null && !isSameKey) gone.push(holdingValues(before));
    if (after !== null) put.push([...holdingValues(after), after.positive]);
  }
  await Promise.all([runBulk(session, deleteHoldings, gone), runBulk(session, putHoldings, put)]);
};

const holdingValues = ({ tokenOwner, mint, tokenAccount }: Holding): Element[] => [
  tokenOwner,
  mint,
  tokenAccount,
];

export const nonCirculatingStakeColumns: Columns = [
  ["address", "bytea"],
  ["lamports", "bigint"],
  ["lockup_timestamp", "bigint"],
  ["lockup_epoch", "bigint"],
  ["listed", "boolean"],
];
const putHolds = bulkUpsert("stake_hold", nonCirculatingStakeColumns, ["address"]);
const deleteHolds = bulkDelete("stake_hold", [["address", "bytea"]]);

/** Keeps `stake_hold` and its count equal to the facts of the living accounts. */
export const writeNonCirculatingStakes = async (
  session: Session,
  steps: readonly Step[],
  head: HeadDraft,
): Promise<void> => {
  const hadHold = ({ stored }: Step): boolean => ((stored?.flags ?? 0) & nonCirculatingStakeBit) !== 0;
  const gone = steps.filter((step) => hadHold(step) && step.facts.nonCirculatingStake === null);
  const put = steps.filter(({ facts }) => facts.nonCirculatingStake !== null);
  head.nonCirculatingStakes += put.length - steps.filter(hadHold).length;
  await Promise.all([
    runBulk(
      session,
      deleteHolds,
      gone.map(({ state }) => [state.current.address]),
    ),
    runBulk(
      session,
      putHolds,
      put.map(({ facts }) => nonCirculatingStakeValues(facts.nonCirculatingStake as NonCirculatingStake)),
    ),
  ]);
};

export const nonCirculatingStakeValues = (hold: NonCirculatingStake): Element[] => [
  hold.address,
  u64ToColumn(hold.lamports),
  hold.lockupTimestamp,
  u64ToColumn(hold.lockupEpoch),
  hold.listedWithdrawer,
];
