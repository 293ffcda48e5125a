import { arrayParameter, type Element, elementBytes, type ElementType } from "../engine/array-parameter.ts";
import type { Session } from "../engine/session.ts";
import { BULK_BYTES_MAX, BULK_ROWS_MAX } from "../engine/settings.ts";
import { type Statement, statement } from "../engine/statement.ts";

/** Many rows in one statement: a column of values each in one array parameter. */
export interface Bulk {
  readonly statement: Statement;
  readonly types: readonly ElementType[];
}

export type Columns = readonly (readonly [name: string, type: ElementType])[];

const arraysOf = (types: readonly ElementType[]): string =>
  types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");

const typesOf = (columns: Columns): readonly ElementType[] => columns.map(([, type]) => type);

/** Inserts rows; `conflict` is what follows, as `ON CONFLICT …`. */
export const bulkInsert = (table: string, columns: Columns, conflict: string = ""): Bulk => {
  const insert = `INSERT INTO ${table} (${columns.map(([name]) => name).join(", ")})`;
  const given = `unnest(${arraysOf(typesOf(columns))})`;
  return {
    // The head has one row.
    statement: statement(
      `${insert}\nSELECT * FROM ${given} ${conflict}`,
      `${insert}\nSELECT given.* FROM head, ${given} AS given ${conflict}`,
    ),
    types: typesOf(columns),
  };
};

/** Inserts rows or replaces those of the same key. The same key twice is refused by the server. */
export const bulkUpsert = (
  table: string,
  columns: Columns,
  key: readonly string[],
  guard: string = "",
): Bulk => {
  const changed = columns
    .filter(([name]) => !key.includes(name))
    .map(([name]) => `${name} = excluded.${name}`);
  return bulkInsert(
    table,
    columns,
    `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${changed.join(", ")} ${guard}`,
  );
};

/** Deletes rows by the values of some columns. */
export const bulkDelete = (table: string, columns: Columns): Bulk => ({
  statement: statement(
    columns.length === 1
      ? `DELETE FROM ${table} WHERE ${columns[0]?.[0]} = ANY (${arraysOf(typesOf(columns))})`
      : `DELETE FROM ${table} WHERE (${columns.map(([name]) => name).join(", ")})
IN (SELECT * FROM unnest(${arraysOf(typesOf(columns))}))`,
  ),
  types: typesOf(columns),
});

/** Sends the rows, in as many statements as the bounds ask for; answers how many were changed. */
export const runBulk = async (
  session: Session,
  { statement: sql, types }: Bulk,
  rows: readonly (readonly Element[])[],
): Promise<number> => {
  const counts = await Promise.all(
    [...slices(rows)].map((slice) =>
      session.run(
        sql,
        ...types.map((type, column) =>
          arrayParameter(
            type,
            slice.map((row) => row[column] as Element),
          ),
        ),
      ),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

function* slices(rows: readonly (readonly Element[])[]): Generator<readonly (readonly Element[])[]> {
  let from = 0;
  let bytes = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const rowBytes = (rows[at] as readonly Element[]).reduce<number>(
      (sum, element) => sum + elementBytes(element),
      0,
    );
    if (at > from && (at - from >= BULK_ROWS_MAX || bytes + rowBytes > BULK_BYTES_MAX)) {
      yield rows.slice(from, at);
      from = at;
      bytes = 0;
    }
    bytes += rowBytes;
  }
  if (from < rows.length) yield rows.slice(from);
}
