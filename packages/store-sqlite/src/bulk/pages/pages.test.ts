import * as fc from "fast-check";
import { truncateSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { PAGE_BYTES } from "../../engine/settings.ts";
import { temporaryFile } from "../../../test/temporary-file.ts";
import { FilePages } from "./file-pages.ts";
import { IndexPages } from "./index-pages.ts";
import { TablePages } from "./table-pages.ts";
import { writeVarint } from "./varint.ts";

interface Row {
  readonly id: bigint;
  readonly value: Uint8Array;
}

/** A file with an empty table of blobs and an empty index over them. */
const emptyFile = (): { readonly file: string; readonly remove: () => void; readonly roots: number[] } => {
  const { file, remove } = temporaryFile();
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA page_size = ${PAGE_BYTES};
CREATE TABLE piece (id INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE INDEX piece_value ON piece (value);`);
  const roots = database
    .prepare("SELECT rootpage FROM sqlite_schema ORDER BY type DESC")
    .all()
    .map(({ rootpage }) => Number(rootpage));
  database.close();
  return { file, remove, roots };
};

/** A record of a blob, with the key behind it in an index. */
const recordOf = (value: Uint8Array, id: bigint | null): Buffer => {
  const head = Buffer.alloc(16);
  let to = 1;
  if (id === null) to += 1;
  to = writeVarint(head, to, 12 + 2 * value.length);
  if (id !== null) head[to++] = 6;
  head[0] = to;
  const key = Buffer.alloc(id === null ? 0 : 8);
  if (id !== null) key.writeBigInt64BE(id);
  return Buffer.concat([head.subarray(0, to), value, key]);
};

const words = (id: bigint): [number, number] => [
  Number(BigInt.asUintN(32, id >> 32n)),
  Number(BigInt.asUintN(32, id)),
];

const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);
const byValue = (a: Row, b: Row): number => Buffer.compare(a.value, b.value) || byId(a, b);

const fill = (file: string, [table, index]: readonly number[], rows: readonly Row[]): void => {
  const pages = new FilePages(file);
  const tablePages = new TablePages(pages, table as number);
  for (const { id, value } of rows.toSorted(byId)) {
    const record = recordOf(value, null);
    tablePages.add(...words(id), record, record.length);
  }
  tablePages.end();
  const indexPages = new IndexPages(pages, index as number, 2000);
  for (const { id, value } of rows.toSorted(byValue)) {
    const record = recordOf(value.subarray(0, 1900), id);
    indexPages.add(record, record.length);
  }
  indexPages.end();
  pages.close();
};

/** Problems that the engine finds in a file, and the rows it reads by the table and by the index. */
const read = (file: string, check: string) => {
  const database = new DatabaseSync(file);
  const rowsBy = (sql: string): Row[] => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all() as unknown as Row[];
  };
  const found = {
    problems: database.prepare(check).all(),
    rows: rowsBy("SELECT id, value FROM piece ORDER BY id"),
    indexed: rowsBy("SELECT id, value FROM piece INDEXED BY piece_value ORDER BY value, id"),
  };
  // The engine goes on where the pages end.
  database.exec("INSERT INTO piece (value) VALUES (x'00'); DELETE FROM piece WHERE value = x'00'");
  database.close();
  return found;
};

const sound = [{ integrity_check: "ok" }];

/** Keys of every length. */
const id = fc.tuple(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat({ max: 63 })).map(
  // The largest key stays free: the engine takes it as a sign to look for gaps.
  ([value, shift]) => (value >> BigInt(shift)) - (value >> BigInt(shift) === 2n ** 63n - 1n ? 1n : 0n),
);
const pattern = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index === 0 ? 1 : (index * 31 + seed) & 0xff));

describe("pages written without the engine", () => {
  test("hold every row that indexes can hold, as the engine reads it", () => {
    const row = fc
      .tuple(id, fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 1900 })), fc.nat())
      .map(([key, length, seed]): Row => ({ id: key, value: pattern(length + 1, seed).subarray(0, 1900) }));
    fc.assert(
      fc.property(fc.uniqueArray(row, { maxLength: 400, selector: (one) => one.id, size: "max" }), (rows) => {
        const { file, remove, roots } = emptyFile();
        try {
          fill(file, roots, rows);
          const found = read(file, "PRAGMA integrity_check");
          expect(found.problems).toEqual(sound);
          expect(found.rows).toEqual(rows.toSorted(byId));
          expect(found.indexed).toEqual(rows.toSorted(byValue));
        } finally {
          remove();
        }
      }),
      { numRuns: 60 },
    );
  });

  test("grow to levels of any height", () => {
    const { file, remove, roots } = emptyFile();
    const rows = Array.from({ length: 6000 }, (_, index): Row => ({
      id: BigInt(index) * 12_345_678_901_234n,
      value: pattern(1900, index),
    }));
    try {
      fill(file, roots, rows);
      const found = read(file, "PRAGMA integrity_check");
      expect(found.problems).toEqual(sound);
      expect(found.rows).toEqual(rows);
      expect(found.indexed).toEqual(rows.toSorted(byValue));
    } finally {
      remove();
    }
  });

  test("hold what is larger than a page", () => {
    const fitting = PAGE_BYTES - 35;
    const sizes = [1, fitting - 5, fitting - 4, fitting - 3, fitting, 9200, 9201, 16_000, 24_571, 1_000_000];
    const { file, remove, roots } = emptyFile();
    const rows = sizes.map((size, index): Row => ({ id: BigInt(index), value: pattern(size, index) }));
    try {
      const pages = new FilePages(file);
      const table = new TablePages(pages, roots[0] as number);
      for (const { id: key, value } of rows) {
        const record = recordOf(value, null);
        table.add(...words(key), record, record.length);
      }
      table.end();
      pages.close();
      const database = new DatabaseSync(file);
      database.exec("REINDEX");
      database.close();
      const found = read(file, "PRAGMA integrity_check");
      expect(found.problems).toEqual(sound);
      expect(found.rows).toHaveLength(sizes.length);
      for (const [index, { value }] of found.rows.entries())
        expect(Buffer.compare(value, (rows[index] as Row).value)).toBe(0);
    } finally {
      remove();
    }
  });

  test("leave the page out that the engine locks, a gigabyte into the file", () => {
    const { file, remove, roots } = emptyFile();
    const rows = Array.from({ length: 60 }, (_, index): Row => ({
      id: BigInt(index),
      value: pattern(1900, index),
    }));
    try {
      // A file with a gap: the pages before the one in question are never written.
      truncateSync(file, 2 ** 30 - 7 * PAGE_BYTES);
      fill(file, roots, rows);
      const found = read(file, "PRAGMA integrity_check(piece)");
      expect(found.problems).toEqual(sound);
      expect(found.rows).toEqual(rows);
      expect(found.indexed).toEqual(rows.toSorted(byValue));
    } finally {
      remove();
    }
  });

  test("refuse to grow past a bound", () => {
    const { file, remove, roots } = emptyFile();
    try {
      const pages = new FilePages(file, 64 * PAGE_BYTES);
      const table = new TablePages(pages, roots[0] as number);
      const record = recordOf(pattern(4000, 1), null);
      expect(() => {
        for (let key = 0; key < 200; key += 1) table.add(0, key, record, record.length);
      }).toThrow(expect.objectContaining({ code: "STORE__FULL" }));
      pages.abandon();
    } finally {
      remove();
    }
  });
});
