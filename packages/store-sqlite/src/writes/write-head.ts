import { type HeadRow, u64ToColumn } from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";
import { prepareReadHead } from "../queries/read-head.ts";

/** The head row during a transaction: read once, changed in memory, written once. */
export type HeadDraft = { -readonly [Member in keyof HeadRow]: HeadRow[Member] };

export interface HeadWriter {
  read(): HeadDraft;
  write(head: HeadDraft): void;
}

export const prepareHeadWriter = (connection: Connection): HeadWriter => {
  const read = prepareReadHead(connection);
  const update = connection.prepare(
    `UPDATE head SET slot = ?, blockhash = ?, change_seq = ?, next_ordinal = ?, settings_revision = ?,
floor_lamports = ?, floor_address = ?, top_accounts = ?, stake_holds = ? WHERE id = 1`,
  );
  return {
    read,
    write: (head) => {
      update.run(
        head.slot,
        head.blockhash,
        head.changeSeq,
        head.nextOrdinal,
        head.settingsRevision,
        u64ToColumn(head.floorLamports),
        head.floorAddress,
        head.topAccounts,
        head.nonCirculatingStakes,
      );
    },
  };
};
