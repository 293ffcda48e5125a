import { LamplightError } from "@lamplight/errors";
import type { Session } from "../engine/session.ts";

/**
 * Refuses one database of a store of several shards: what is written to it alone belongs to no delta.
 *
 * @throws LamplightError `STORE__NO_SUCH_USE`
 */
export const assertWholeStore = async (session: Session, schema: string): Promise<void> => {
  const rows = await session.execute(
    `SELECT 1 FROM pg_tables WHERE schemaname = '${schema}' AND tablename IN ('delta_head', 'node_slot')`,
  );
  if (rows.length > 0)
    throw new LamplightError("STORE__NO_SUCH_USE", {
      store: session.store,
      use: "be written through one of its databases",
      instead: "name the store by its shards: URL",
    });
};
