import { Client } from "pg";
import { readProcess } from "../harness/process-seconds.ts";

/** The process whose children serve the sessions of a PostgreSQL on this machine. */
export const postgresPid = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const session = readProcess(String(rows[0]!.pid));
    if (session === null) throw new Error("the PostgreSQL of --store is not on this machine");
    return session.parent;
  } finally {
    await client.end();
  }
};
