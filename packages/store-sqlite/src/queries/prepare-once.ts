import type { Connection, Statement } from "../engine/connection.ts";

export type Prepare = (sql: string) => Statement;

/** Values are bound, so there are only as many texts as kinds of criteria and their words. */
export const prepareOnce = (connection: Connection): Prepare => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
};
