import { encodeAddress } from "@lamplight/codecs";
import {
  type AddressBytes,
  decodeEditionRow,
  type Edition,
  editionRowColumns,
  type EditionStart,
  type MaybePromise,
  turns,
  u64ToColumn,
} from "@lamplight/core";
import type { Connection } from "../engine/connection.ts";

/** Prints that are counted or skipped as one statement: some milliseconds. */
const PRINTS_PER_READ = 1 << 16;

const behind = "parent = ? AND (number, address) > (?, ?)";

export const listEditionsSql = {
  offset: `SELECT ${editionRowColumns} FROM edition WHERE ${behind} ORDER BY number, address LIMIT ? OFFSET ?`,
  /** The place so many prints further on, if there are that many. */
  place: `SELECT number, address FROM edition WHERE ${behind} ORDER BY number, address LIMIT 1 OFFSET ?`,
  count: `SELECT count(*) FROM (SELECT 1 FROM edition WHERE ${behind} LIMIT ?)`,
  after: `SELECT ${editionRowColumns} FROM edition WHERE parent = ? AND number > ? ORDER BY number, address LIMIT ?`,
  before: `SELECT ${editionRowColumns} FROM edition WHERE parent = ? AND number < ? ORDER BY number DESC, address DESC LIMIT ?`,
} as const;

/** Position of a walk over the prints of one parent: number as in its column, and address. */
type Place = readonly [number: bigint, address: AddressBytes];

const beforeAll: Place = [u64ToColumn(0n), new Uint8Array(0)];

/** Null = fewer prints than that are behind the place. */
type SkipPrints = (parent: AddressBytes, place: Place, prints: number) => Place | null;

const prepareSkip = (connection: Connection): SkipPrints => {
  const find = connection.prepare(listEditionsSql.place);
  return (parent, place, prints) => (find.get(parent, ...place, prints - 1) ?? null) as Place | null;
};

export const prepareListEditions = (
  connection: Connection,
  printsPerRead = PRINTS_PER_READ,
): ((parent: AddressBytes, start: EditionStart, limit: number) => MaybePromise<readonly Edition[]>) => {
  const offset = connection.prepare(listEditionsSql.offset);
  const after = connection.prepare(listEditionsSql.after);
  const before = connection.prepare(listEditionsSql.before);
  const skip = prepareSkip(connection);
  /** A page costs its depth: in slices, with a turn of the event loop between two. */
  const listDeep = async (parent: AddressBytes, depth: number, limit: number): Promise<Edition[]> => {
    let place: Place | null = beforeAll;
    let left = depth;
    for (; left > printsPerRead; left -= printsPerRead) {
      if (turns.isUsedUp()) await turns.next();
      place = skip(parent, place, printsPerRead);
      if (place === null) return [];
    }
    return offset.all(parent, ...place, limit, left).map(decodeEditionRow);
  };
  return (parent, start, limit) => {
    switch (start.kind) {
      case "offset":
        if (start.offset > printsPerRead) return listDeep(parent, start.offset, limit);
        return offset.all(parent, ...beforeAll, limit, start.offset).map(decodeEditionRow);
      case "after":
        return after.all(parent, u64ToColumn(start.number), limit).map(decodeEditionRow);
      case "before":
        return before.all(parent, u64ToColumn(start.number), limit).map(decodeEditionRow).toReversed();
      default:
        return start satisfies never;
    }
  };
};

/**
 * Counting a million prints takes a hundred milliseconds and more, and every page of them asks: counts are kept until
 * another connection commits to the file (`PRAGMA data_version` of this one, which never writes).
 */
export const prepareCountEditions = (
  connection: Connection,
  printsPerRead = PRINTS_PER_READ,
): ((parent: AddressBytes) => MaybePromise<number>) => {
  const count = connection.prepareSmall(listEditionsSql.count);
  const version = connection.prepareSmall("PRAGMA data_version");
  const skip = prepareSkip(connection);
  const counts = new Map<string, MaybePromise<number>>();
  let countedAt = -1;
  const countFrom = (parent: AddressBytes, place: Place): number =>
    Number(count.get(parent, ...place, printsPerRead)?.[0]);
  const countRest = async (parent: AddressBytes): Promise<number> => {
    let place: Place | null = beforeAll;
    for (let counted = 0; ; counted += printsPerRead) {
      const more = countFrom(parent, place);
      place = more < printsPerRead ? null : skip(parent, place, printsPerRead);
      if (place === null) return counted + more;
      await turns.next();
    }
  };
  return (parent) => {
    const now = Number(version.get()?.[0]);
    if (now !== countedAt || counts.size >= COUNTS_MAX) counts.clear();
    countedAt = now;
    const key = encodeAddress(parent);
    const known = counts.get(key);
    if (known !== undefined) return known;
    const few = countFrom(parent, beforeAll);
    const counted = few < printsPerRead ? few : countRest(parent);
    counts.set(key, counted);
    // If counting failed, the next call counts again.
    if (counted instanceof Promise) counted.catch(() => counts.delete(key));
    return counted;
  };
};

/** Counts kept at once. */
const COUNTS_MAX = 1000;

export const findEditionSql = {
  address: `SELECT ${editionRowColumns} FROM edition WHERE address = ?`,
  mint: `SELECT ${editionRowColumns} FROM edition WHERE mint = ? ORDER BY parent, number, address LIMIT 1`,
} as const;

export const prepareFindEdition = (
  connection: Connection,
): ((mintOrAddress: AddressBytes) => Edition | null) => {
  const byMint = connection.prepare(findEditionSql.mint);
  const byAddress = connection.prepare(findEditionSql.address);
  return (mintOrAddress) => {
    const row = byMint.get(mintOrAddress) ?? byAddress.get(mintOrAddress);
    return row === undefined ? null : decodeEditionRow(row);
  };
};
