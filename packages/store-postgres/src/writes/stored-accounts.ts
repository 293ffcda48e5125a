import { decodeZeroRunsStart } from "@lamplight/codecs";
import {
  type AccountWrite,
  type AddressBytes,
  type Holding,
  codedBit,
  holdingBit,
  u64FromColumn,
} from "@lamplight/core";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session, TextRow } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

// Places in the data of a token account: its mint comes first, then its owner, then the amount.
const TOKEN_OWNER_AT = 32;
const AMOUNT_AT = 64;
const HOLDING_BYTES = 72;
/** Coding takes at most a byte more for every three. */
const CODED_HOLDING_BYTES = 96;

// Bytes come as base64, which is shorter than the server's other text of bytes, and is made in one call here.
const findLiving = statement(`SELECT encode(address, 'base64'), slot, write_version, flags, lamports,
CASE WHEN flags & ${holdingBit} <> 0 THEN encode(substr(data, 1, ${CODED_HOLDING_BYTES}), 'base64') END
FROM account WHERE address = ANY ($1::bytea[])`);
const findClosed = statement(
  "SELECT encode(address, 'base64'), slot, write_version, flags FROM tombstone WHERE address = ANY ($1::bytea[])",
);

/** Stored rows of some accounts; the keys are those of `addressTextOf`. */
export interface StoredRows {
  readonly living: ReadonlyMap<string, TextRow>;
  readonly closed: ReadonlyMap<string, TextRow>;
}

export const addressTextOf = (address: AddressBytes): string =>
  Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString("base64");

export const readStoredRows = async (
  session: Session,
  writes: readonly AccountWrite[],
): Promise<StoredRows> => {
  const asked = arrayParameter(
    "bytea",
    writes.map(({ state }) => state.current.address),
  );
  const [living, closed] = await Promise.all([
    session.texts(findLiving, asked),
    session.texts(findClosed, asked),
  ]);
  return { living: byAddress(living), closed: byAddress(closed) };
};

const byAddress = (rows: readonly TextRow[]): ReadonlyMap<string, TextRow> =>
  new Map(rows.map((row) => [row[0] as string, row]));

/** The version in a row of either table. */
export const versionOf = (row: TextRow): { readonly slot: number; readonly writeVersion: number } => ({
  slot: Number(row[1]),
  writeVersion: Number(row[2]),
});
export const flagsOf = (row: TextRow): number => Number(row[3]);

/** The lamports in a row of living accounts. */
export const lamportsOf = (row: TextRow): bigint => u64FromColumn(BigInt(row[4] as string));

/**
 * The row that the table of holdings has of a living account, derived from its old bytes; null for none.
 *
 * @param now - what it is to have, which is answered where it is the same: nearly always, and then nothing is made
 */
export const holdingOf = (address: AddressBytes, row: TextRow, now: Holding | null): Holding | null => {
  const text = row[5] as string | null;
  if (text === null) return null;
  const stored = Buffer.from(text, "base64");
  const data = (flagsOf(row) & codedBit) === 0 ? stored : decodeZeroRunsStart(stored, scratch);
  const positive = !isZero(data, AMOUNT_AT, HOLDING_BYTES);
  if (
    now !== null &&
    now.positive === positive &&
    hasBytes(data, 0, now.mint) &&
    hasBytes(data, TOKEN_OWNER_AT, now.tokenOwner)
  )
    return now;
  const mint = data.slice(0, TOKEN_OWNER_AT);
  return { tokenAccount: address, mint, tokenOwner: data.slice(TOKEN_OWNER_AT, AMOUNT_AT), positive };
};

/** Decoded bytes stay here until the next call. */
const scratch = new Uint8Array(HOLDING_BYTES);

const hasBytes = (data: Uint8Array, at: number, expected: Uint8Array): boolean => {
  for (let index = 0; index < expected.length; index += 1) {
    if (data[at + index] !== expected[index]) return false;
  }
  return true;
};

const isZero = (data: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at += 1) if (data[at] !== 0) return false;
  return true;
};
