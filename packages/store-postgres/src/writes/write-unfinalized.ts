import type { Slot, UnfinalizedChange, UnfinalizedSlot } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";
import { UNFINALIZED_PART_BYTES } from "../engine/settings.ts";
import { statement } from "../engine/statement.ts";
import { WITHDRAWN } from "../queries/read-unfinalized.ts";
import { bulkDelete, bulkInsert, runBulk } from "./bulk.ts";

const moveHead = statement(`UPDATE head SET confirmed_slot = $1, unrooted_revision = unrooted_revision + 1
WHERE id = 1 AND writer_epoch = $2 RETURNING unrooted_revision`);
const deleteSlots = bulkDelete("unrooted_slot", [["slot", "bigint"]]);
const insertParts = bulkInsert("unrooted_slot", [
  ["slot", "bigint"],
  ["part", "integer"],
  ["parent", "bigint"],
  ["blockhash", "text"],
  ["revision", "bigint"],
  ["body", "bytea"],
]);
const deleteFinalized = statement("DELETE FROM unrooted_slot WHERE slot <= $1");
const deleteAll = statement("DELETE FROM unrooted_slot");
const withdraw = statement(
  `UPDATE head SET confirmed_slot = ${WITHDRAWN}, unrooted_revision = unrooted_revision + 1 WHERE id = 1`,
);

/**
 * Runs within the session's current transaction. The head row fences off older writers, as for every commit.
 *
 * @throws LamplightError `STORE__LOCKED`
 */
export const writeUnfinalized = async (
  session: Session,
  { added, dropped, confirmedSlot }: UnfinalizedChange,
  writerEpoch: number,
): Promise<void> => {
  const moved = await session.get(moveHead, confirmedSlot, writerEpoch);
  if (moved === undefined) throw new LamplightError("STORE__LOCKED", { store: session.store });
  const revision = Number(moved[0]);
  await runBulk(
    session,
    deleteSlots,
    [...dropped, ...added.map(({ slot }) => slot)].map((slot) => [slot]),
  );
  await runBulk(
    session,
    insertParts,
    added.flatMap((one) => partsOf(one).map((row) => [...row.slice(0, 4), revision, row[4]!])),
  );
};

const partsOf = ({ slot, parent, blockhash, body }: UnfinalizedSlot) =>
  Array.from(
    { length: Math.max(1, Math.ceil(body.length / UNFINALIZED_PART_BYTES)) },
    (_, part) =>
      [
        slot,
        part,
        parent,
        blockhash,
        body.subarray(part * UNFINALIZED_PART_BYTES, (part + 1) * UNFINALIZED_PART_BYTES),
      ] as const,
  );

/** Finalized slots are no longer published. Part of the commit that finalizes them. */
export const removeFinalized = async (session: Session, finalizedSlot: Slot): Promise<void> => {
  await session.run(deleteFinalized, finalizedSlot);
};

/** Slots derived from an outdated state must not be read. Readers learn that they do not come back. */
export const removeUnfinalized = async (session: Session): Promise<void> => {
  if ((await session.run(deleteAll)) > 0) await session.run(withdraw);
};
