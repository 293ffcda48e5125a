import type { Session } from "../engine/session.ts";
import type { DeferredIndex } from "../schema/unfinished-load.ts";

/** Reads primary keys, which are constraints, and every other index; nothing else is unique here. */
const indexesSql = (schema: string): string => `SELECT tables.relname, indexes.relname, indisprimary,
CASE WHEN indisprimary
  THEN format('ALTER TABLE %I ADD CONSTRAINT %I %s', tables.relname, indexes.relname, pg_get_constraintdef(
    (SELECT oid FROM pg_constraint WHERE conindid = indexes.oid AND contype = 'p')))
  ELSE pg_get_indexdef(indexes.oid) END
FROM pg_index
JOIN pg_class AS indexes ON indexes.oid = indexrelid
JOIN pg_class AS tables ON tables.oid = indrelid
WHERE tables.relnamespace = '${schema}'::regnamespace
ORDER BY tables.relname, indisprimary DESC, indexes.relname`;

/** The indexes of these tables as they stand. */
export const readIndexes = async (
  session: Session,
  schema: string,
  tables: readonly string[],
): Promise<readonly DeferredIndex[]> => {
  const rows = await session.execute(indexesSql(schema));
  return rows
    .map(([table, name, isKey, sql]) => ({
      table: table as string,
      name: name as string,
      isKey: isKey as boolean,
      sql: sql as string,
    }))
    .filter(({ table }) => tables.includes(table));
};

export const dropIndexes = async (session: Session, indexes: readonly DeferredIndex[]): Promise<void> => {
  for (const { table, name, isKey } of indexes) {
    await session.execute(isKey ? `ALTER TABLE ${table} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`);
  }
};

/** Memory of the server for sorting one index. */
const sortMemory = "512MB";

/** Builds those that are missing. */
export const buildIndexes = async (
  session: Session,
  schema: string,
  indexes: readonly DeferredIndex[],
  onIndex: (name: string) => void = () => undefined,
): Promise<void> => {
  const tables = [...new Set(indexes.map(({ table }) => table))];
  const there = new Set((await readIndexes(session, schema, tables)).map(({ name }) => name));
  await session.execute(`SET maintenance_work_mem = '${sortMemory}'`);
  for (const { name, sql } of indexes) {
    if (there.has(name)) continue;
    onIndex(name);
    await session.execute(sql);
  }
};
