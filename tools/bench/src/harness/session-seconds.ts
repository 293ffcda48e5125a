import type { TestPostgres } from "@lamplight/postgres-test";
import { fineSeconds } from "./process-seconds.ts";

/** Processor time of the living sessions of a server, by their `application_name`. */
export const sessionSeconds = async (postgres: TestPostgres, name: string): Promise<number> => {
  const client = await postgres.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = $1",
      [name],
    );
    return fineSeconds(rows.map(({ pid }) => pid));
  } finally {
    await client.end();
  }
};
