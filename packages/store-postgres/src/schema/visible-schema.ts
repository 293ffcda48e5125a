import { noPrivilegeError } from "../engine/engine-errors.ts";
import type { Session } from "../engine/session.ts";

/** SQL for whether the role may see what is in a schema; null = there is no such schema. */
export const isVisibleSql = (schema: string): string =>
  `(SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = '${schema}')`;

/** The server calls the tables of such a schema missing. */
export const hiddenSchemaError = ({ store }: Session, schema: string) =>
  noPrivilegeError(store, `permission denied for schema ${schema}`);
