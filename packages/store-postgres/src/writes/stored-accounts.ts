import type { AccountWrite, AddressBytes, Holding } from "@lamplight/core";
import { codedBit, holdingBit } from "../columns/account-row.ts";
import { u64FromColumn } from "../columns/u64-column.ts";
import { decodeZeroRunsStart } from "../columns/zero-runs.ts";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Session, TextRow } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";

// Places in the data of a token account: its mint, its owner, the amount.
const holdingBytes = 72;
/** Coding takes at most a byte more for every three. */
const codedHoldingBytes = 96;

// As base64, which is shorter than what the server writes of bytes otherwise, and made in one call here.
const findLiving = statement(`SELECT encode(address, 'base64'), slot, write_version, flags, lamports,
CASE WHEN flags & ${holdingBit} <> 0 THEN encode(substr(data, 1, ${codedHoldingBytes}), 'base64') END
FROM account WHERE address = ANY ($1::bytea[])`);
const findClosed = statement(
  "SELECT encode(address, 'base64'), slot, write_version, flags FROM tombstone WHERE address = ANY ($1::bytea[])",
);

/** What is stored of some accounts, by `addressTextOf`. */
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

/** Of a row of either table. */
export const versionOf = (row: TextRow): { readonly slot: number; readonly writeVersion: number } => ({
  slot: Number(row[1]),
  writeVersion: Number(row[2]),
});
export const flagsOf = (row: TextRow): number => Number(row[3]);

/** Of a row of living accounts. */
export const lamportsOf = (row: TextRow): bigint => u64FromColumn(BigInt(row[4] as string));

/** What the table of holdings has of a living account, as its old bytes tell; null for nothing. */
export const holdingOf = (address: AddressBytes, row: TextRow): Holding | null => {
  const text = row[5] as string | null;
  if (text === null) return null;
  const stored = Buffer.from(text, "base64");
  const data = (flagsOf(row) & codedBit) === 0 ? stored : decodeZeroRunsStart(stored, holdingBytes);
  return {
    tokenAccount: address,
    mint: data.subarray(0, 32),
    tokenOwner: data.subarray(32, 64),
    positive: data.subarray(64, holdingBytes).some((byte) => byte !== 0),
  };
};
