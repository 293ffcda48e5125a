import type { Row } from "../engine/statements.ts";
import { type ViewHead, viewHeadOf } from "./read-head.ts";

// One statement reads the head and accounts, as rows of the same columns. A column has another meaning in the row of the
// head, which comes first:
//
// | Column          | Head row                   | Account row       |
// |-----------------|----------------------------|-------------------|
// | `address`       | null                       | address           |
// | `program`       | a number of the statement  | number of program |
// | `lamports`      | `change_seq`               | lamports          |
// | `slot`          | slot                       | slot              |
// | `write_version` | `settings_revision`        | write version     |
// | `flags`         | null                       | flags             |
// | `rent_epoch`    | `next_ordinal`             | rent epoch        |
// | `data`          | `writer_id` as UTF-8       | data              |
//
// Such a statement is never sent to a distributed store.

/** @param number - an integer that the statement reports */
export const headRowSql = (number: string): string => `SELECT NULL::bytea AS address, ${number} AS program,
change_seq AS lamports, slot, settings_revision AS write_version, NULL::smallint AS flags, next_ordinal AS rent_epoch,
convert_to(writer_id, 'UTF8') AS data FROM head WHERE id = 1`;

/** Columns at which the parts of an account's row begin. */
export const accountRowParts = { program: 1, parts: 2, data: 7 } as const;

export const headOfRow = (row: Row): ViewHead => {
  const [, , changeSeq, slot, settingsRevision, , nextOrdinal, data] = row;
  const writer = Buffer.from(data as Uint8Array).toString("utf8");
  return viewHeadOf([slot, changeSeq, settingsRevision, nextOrdinal, writer]);
};
