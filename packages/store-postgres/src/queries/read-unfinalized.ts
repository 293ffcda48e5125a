import type { Slot, UnfinalizedHead, UnfinalizedState } from "@lamplight/core";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Row, Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";

/** `confirmed_slot` of a store from which slots were removed that no writer brings back. */
export const WITHDRAWN = -1;

const readHeadStatement = statement(
  "SELECT slot, blockhash, change_seq, confirmed_slot, unrooted_revision, writer_id FROM head WHERE id = 1",
);
const listSlots = statement(
  "SELECT slot, parent, blockhash, revision FROM unrooted_slot WHERE part = 0 ORDER BY slot",
);
const readParts = statement(
  "SELECT slot, body FROM unrooted_slot WHERE slot = ANY ($1::bigint[]) ORDER BY slot, part",
);

export const readUnfinalizedHead = async (db: Statements): Promise<UnfinalizedHead> => {
  const row = (await db.get(readHeadStatement)) as Row;
  const slot = row[0] === null ? null : Number(row[0]);
  return {
    watermark: slot === null ? null : { slot, blockhash: row[1] as string | null },
    changeSeq: Number(row[2]),
    confirmedSlot: Math.max(Number(row[3]), slot ?? 0),
    isWithdrawn: Number(row[3]) === WITHDRAWN,
    revision: Number(row[4]),
    writer: row[5] as string,
  };
};

/** The caller has a transaction of one snapshot, or is the writer, so that head and slots belong together. */
export const readUnfinalized = async (
  db: Statements,
  known: ReadonlyMap<Slot, number>,
): Promise<UnfinalizedState> => {
  const [head, rows] = await Promise.all([readUnfinalizedHead(db), db.all(listSlots)]);
  const slots = rows.map((row) => ({
    slot: Number(row[0]),
    parent: Number(row[1]),
    blockhash: row[2] as string | null,
    revision: Number(row[3]),
  }));
  const unknown = slots.filter(({ slot, revision }) => known.get(slot) !== revision).map(({ slot }) => slot);
  const bodies = await readBodies(db, unknown);
  return { ...head, slots: slots.map((one) => ({ ...one, body: bodies.get(one.slot) ?? null })) };
};

const readBodies = async (db: Statements, slots: readonly Slot[]): Promise<ReadonlyMap<Slot, Uint8Array>> => {
  if (slots.length === 0) return new Map();
  const parts = new Map<Slot, Uint8Array[]>();
  for (const row of await db.all(readParts, arrayParameter("bigint", slots))) {
    const slot = Number(row[0]);
    const list = parts.get(slot);
    if (list === undefined) parts.set(slot, [row[1] as Uint8Array]);
    else list.push(row[1] as Uint8Array);
  }
  return new Map(
    [...parts].map(([slot, list]) => [slot, list.length === 1 ? list[0]! : Buffer.concat(list)]),
  );
};
