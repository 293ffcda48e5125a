import { u64ToColumn } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { type Head, readHead } from "../queries/read-head.ts";

/** The head row during a transaction: read once, changed in memory, written once. */
export type HeadDraft = { -readonly [Member in keyof Head]: Head[Member] } & {
  /** The revision that was read. */
  readonly settingsBefore: number;
};

/** Reads the head to change it, as the writer of an epoch; default: the last one. */
export const draftHead = async (session: Session, writerEpoch?: number): Promise<HeadDraft> => {
  const head = await readHead(session);
  return {
    ...head,
    settingsBefore: head.settingsRevision,
    writerEpoch: writerEpoch ?? head.writerEpoch,
  };
};

// The writer of documents also raises the revision of the settings, so it is raised by a difference.
const update = statement(`UPDATE head SET slot = $1, blockhash = $2, change_seq = $3, next_ordinal = $4,
settings_revision = settings_revision + $5, floor_lamports = $6, floor_address = $7, top_accounts = $8, stake_holds = $9
WHERE id = 1 AND writer_epoch = $10`);

/**
 * Writes the head as the last statement of a transaction. This fences off older writers: if another writer has opened
 * the store since, no row matches, and the transaction is rolled back.
 *
 * @throws LamplightError `STORE__LOCKED`
 */
export const writeHead = async (session: Session, head: HeadDraft): Promise<void> => {
  const written = await session.run(
    update,
    head.slot,
    head.blockhash,
    head.changeSeq,
    head.nextOrdinal,
    head.settingsRevision - head.settingsBefore,
    u64ToColumn(head.floorLamports),
    head.floorAddress,
    head.topAccounts,
    head.nonCirculatingStakes,
    head.writerEpoch,
  );
  if (written === 0) throw new LamplightError("STORE__LOCKED", { store: session.store });
};

const keep = statement("UPDATE head SET writer_epoch = $1 WHERE id = 1 AND writer_epoch = $1");

/**
 * The same check, for a transaction that does not change the head.
 *
 * @throws LamplightError `STORE__LOCKED`
 */
export const assertStillWriter = async (session: Session, writerEpoch: number): Promise<void> => {
  const kept = await session.run(keep, writerEpoch);
  if (kept === 0) throw new LamplightError("STORE__LOCKED", { store: session.store });
};
