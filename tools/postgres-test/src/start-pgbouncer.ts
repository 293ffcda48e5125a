import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { describe } from "vitest";
import { serverAccount } from "./account.ts";
import { findFreePort, type TestPostgres } from "./start-postgres.ts";

/** A PgBouncer in front of a test's PostgreSQL. */
export interface TestPooler {
  /** The URL of a store of the server, by way of the pooler. */
  urlOf(storeUrl: string): string;
  /** A connection of the driver alone, to be ended by the caller. */
  connect(): Promise<Client>;
  stop(): Promise<void>;
}

const findPgBouncer = (): string | null =>
  ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"].find((path) =>
    existsSync(path),
  ) ?? null;

/** `describe` for tests that need PgBouncer: skipped, with a word about it, where it is not installed. */
export const describePgBouncer = (name: string, body: () => void): void => {
  const isThere = findPgBouncer() !== null;
  if (!isThere)
    console.warn(`SKIPPED ${name}: PgBouncer is not installed (Debian: apt-get install pgbouncer)`);
  describe.skipIf(!isThere)(name, body);
};

/**
 * @param poolMode - `transaction` gives each transaction any of its sessions, `session` keeps one for each connection
 * @param poolSize - sessions of the server
 * @throws Error with what PgBouncer logged when it does not start
 */
export const startPgBouncer = async (
  server: TestPostgres,
  poolMode: "transaction" | "session",
  poolSize: number,
): Promise<TestPooler> => {
  const program = findPgBouncer();
  if (program === null) throw new Error("PgBouncer is not installed");
  const account = serverAccount();
  const scratch = mkdtempSync(join(tmpdir(), "lamplight-pgbouncer-"));
  const port = await findFreePort();
  const settings = join(scratch, "pgbouncer.ini");
  const users = join(scratch, "users.txt");
  writeFileSync(users, '"postgres" ""\n');
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  );
  if (account !== null)
    for (const path of [scratch, settings, users]) chownSync(path, account.uid, account.gid);
  const pooler = spawn(program, [settings], {
    ...account,
    cwd: scratch,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(pooler, "exit");
  const log: string[] = [];
  const stop = async (): Promise<void> => {
    pooler.kill();
    await exited;
    rmSync(scratch, { recursive: true, force: true });
  };
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: pooler.stderr }).on("line", (line) => {
      log.push(line);
      if (line.includes("process up")) resolve();
    });
    void exited.then(() => reject(new Error(`PgBouncer does not start:\n${log.join("\n")}`)));
  });
  const urlOf = (storeUrl: string): string => {
    const url = new URL(storeUrl);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: urlOf(server.url) });
    await client.connect();
    return client;
  };
  return { urlOf, connect, stop };
};
