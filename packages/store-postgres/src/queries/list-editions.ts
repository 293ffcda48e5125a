import {
  type AddressBytes,
  decodeEditionRow,
  type Edition,
  editionRowColumns,
  type EditionStart,
  u64ToColumn,
} from "@lamplight/core";
import type { Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

const select = `SELECT ${editionRowColumns} FROM edition WHERE`;
/** Rows are skipped by the key alone, which is a tenth of the work of reading each. */
export const editionAtOffset = statement(
  "SELECT number, address FROM edition WHERE parent = $1 ORDER BY number, address LIMIT 1 OFFSET $2",
);
const fromEdition = statement(
  `${select} parent = $1 AND (number, address) >= ($2, $3) ORDER BY number, address LIMIT $4`,
);
const fromNumber = statement(`${select} parent = $1 AND number > $2 ORDER BY number, address LIMIT $3`);
const beforeNumber = statement(
  `${select} parent = $1 AND number < $2 ORDER BY number DESC, address DESC LIMIT $3`,
);
const countAll = statement("SELECT count(*) FROM edition WHERE parent = $1");
const byMint = statement(`${select} mint = $1 ORDER BY parent, number, address LIMIT 1`);
const byAddress = statement(`${select} address = $1`);

export const listEditions = async (
  db: Statements,
  parent: AddressBytes,
  start: EditionStart,
  limit: number,
): Promise<readonly Edition[]> => {
  switch (start.kind) {
    case "offset":
      return listFromOffset(db, parent, start.offset, limit);
    case "after":
      return (await db.all(fromNumber, parent, u64ToColumn(start.number), limit)).map(decodeEditionRow);
    case "before":
      return (await db.all(beforeNumber, parent, u64ToColumn(start.number), limit))
        .map(decodeEditionRow)
        .toReversed();
    default:
      return start satisfies never;
  }
};

const listFromOffset = async (
  db: Statements,
  parent: AddressBytes,
  offset: number,
  limit: number,
): Promise<readonly Edition[]> => {
  const first = await db.get(editionAtOffset, parent, offset);
  if (first === undefined) return [];
  const [number, address] = first as [bigint, AddressBytes];
  return (await db.all(fromEdition, parent, number, address, limit)).map(decodeEditionRow);
};

export const countEditions = async (db: Statements, parent: AddressBytes): Promise<number> =>
  Number((await db.get(countAll, parent))?.[0]);

/** A print by its mint, else by its edition address. */
export const findEdition = async (db: Statements, mintOrAddress: AddressBytes): Promise<Edition | null> => {
  const [ofMint, ofAddress] = await Promise.all([
    db.get(byMint, mintOrAddress),
    db.get(byAddress, mintOrAddress),
  ]);
  const row = ofMint ?? ofAddress;
  return row === undefined ? null : decodeEditionRow(row);
};
