import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { type Account, serverAccount } from "./account.ts";
import { makeDataFolder } from "./data-folder.ts";
import { findPostgresBinaries, type PostgresBinaries, runnableBinaries } from "./postgres-binaries.ts";

/** A PostgreSQL of its own for one test file or bench: nothing in it outlives `stop`. */
export interface TestPostgres {
  /** Superuser `postgres`, no password, database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** Ends the server as a power cut would end its processes; the data stays. */
  crash(): Promise<void>;
  /** Starts it again on the same data and port. */
  restart(): Promise<void>;
  /** Starts a streaming replica of it, which can only be read, and is to be stopped before it. */
  startReplica(): Promise<TestPostgres>;
  /** Makes a replica a primary. */
  promote(): Promise<void>;
  /** Stops all its processes where they are, as a machine that hangs (Linux only), until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** A session of the driver alone, to be ended by the caller. */
  connect(): Promise<Client>;
  /** Ends sessions as a network or an administrator would, by their `application_name`. */
  cutSessions(applicationName: string): Promise<void>;
  /** Ends the server and removes its folder. A second call does nothing. */
  stop(): Promise<void>;
}

/** Another process may take the free port before the server does. */
const START_ATTEMPTS_MAX = 3;
/** Last lines of the server's log, for the message of a failed start. */
const LOG_LINES_MAX = 40;

/** Tests name a folder in memory, where there is room: to create and remove tables takes a third less system time there. */
const testFolder = process.env["LAMPLIGHT_TEST_DATABASES"];

// Nothing here has to survive a power cut, so nothing waits for a disk; what was committed survives the server's crash.
const settings = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "200",
  shared_buffers: "128MB",
  listen_addresses: "127.0.0.1",
  // The log may be in memory.
  ...(testFolder === undefined ? {} : { max_wal_size: "128MB" }),
};

/**
 * Makes a database folder and starts a server on it. As root, everything runs as `nobody`, since PostgreSQL refuses
 * to be root.
 *
 * @throws Error with the server's own words when it does not start; nothing is left behind then
 */
export const startPostgres = async (binaries = findPostgresBinaries()): Promise<TestPostgres> => {
  if (binaries === null) throw new Error(`no PostgreSQL for ${process.platform}-${process.arch}`);
  const account = serverAccount();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(binaries, account);
    } catch (error) {
      if (attempt === START_ATTEMPTS_MAX) throw error;
    }
  }
};

const startOnce = (binaries: PostgresBinaries, account: Account | null): Promise<TestPostgres> =>
  startIn(account, async (scratch) => {
    const native = runnableBinaries(binaries, scratch);
    makeDataFolder(native, scratch, account);
    return native;
  });

/** Starts a server on the data folder that `prepare` makes in an empty one, with the programs that it names. */
const startIn = async (
  account: Account | null,
  prepare: (scratch: string) => Promise<string>,
): Promise<TestPostgres> => {
  const scratch = mkdtempSync(join(testFolder ?? tmpdir(), "lamplight-postgres-"));
  let server: Server | null = null;
  try {
    if (account !== null) chownSync(scratch, account.uid, account.gid);
    server = new Server(await prepare(scratch), scratch, account, await findFreePort());
    await server.restart();
    return server;
  } catch (error) {
    await server?.stop();
    rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
};

export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
};

/**
 * The shell that looks after the server: it ends the server and removes the folder when its standard input ends, so
 * also when the process that holds the other end was killed.
 */
const keeper = `folder=$1; shift
while read -r order; do
  case $order in
    start) "$@" </dev/null & pid=$! ;;
    crash) kill -QUIT $pid; wait $pid; echo 'keeper: crashed' >&2 ;;
  esac
done
kill -QUIT $pid 2>/dev/null; wait $pid
rm -rf "$folder"`;

class Server implements TestPostgres {
  readonly port: number;
  readonly url: string;
  readonly #native: string;
  readonly #scratch: string;
  readonly #account: Account | null;
  readonly #keeper: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #log: string[] = [];
  readonly #listeners = new Set<(line: string) => void>();

  constructor(native: string, scratch: string, account: Account | null, port: number) {
    this.port = port;
    this.#native = native;
    this.#scratch = scratch;
    this.#account = account;
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const flags = Object.entries({ ...settings, port, unix_socket_directories: scratch });
    this.#keeper = spawn(
      "/bin/sh",
      [
        "-c",
        keeper,
        "keeper",
        scratch,
        join(native, "bin", "postgres"),
        "-D",
        join(scratch, "data"),
        ...flags.flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      // Detached, so that Ctrl-C ends the tests and not, before them, their database.
      {
        ...account,
        cwd: scratch,
        stdio: ["pipe", "ignore", "pipe"],
        detached: true,
        env: { PATH: process.env["PATH"] },
      },
    );
    this.#keeper.unref();
    this.#exited = once(this.#keeper, "exit");
    createInterface({ input: this.#keeper.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      this.#log.push(line);
      if (this.#log.length > LOG_LINES_MAX) this.#log.shift();
      for (const listener of this.#listeners) listener(line);
    });
  }

  async crash(): Promise<void> {
    await this.#order("crash", /keeper: crashed/u);
  }

  async restart(): Promise<void> {
    await this.#order("start", /ready to accept (?:read-only )?connections/u);
  }

  startReplica(): Promise<TestPostgres> {
    return startIn(this.#account, async (scratch) => {
      await this.#copyData(join(scratch, "data"));
      return this.#native;
    });
  }

  /** A base backup by hand: the programs for it do not come with the binaries. */
  async #copyData(target: string): Promise<void> {
    const client = await this.connect();
    try {
      await client.query("SELECT pg_backup_start('replica', true)");
      const copied = spawnSync(
        "/bin/sh",
        ["-c", 'cp -r "$1" "$2" && rm "$2/postmaster.pid"', "sh", join(this.#scratch, "data"), target],
        {
          ...this.#account,
          encoding: "utf8",
        },
      );
      const { rows } = await client.query<{ labelfile: string }>(
        "SELECT labelfile FROM pg_backup_stop(false)",
      );
      if (copied.status !== 0) throw new Error(`the data cannot be copied: ${copied.stderr}`);
      const files = {
        backup_label: rows[0]!.labelfile,
        "standby.signal": "",
        "postgresql.auto.conf": `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=postgres'\n`,
      };
      for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(target, name), text);
        if (this.#account !== null) chownSync(join(target, name), this.#account.uid, this.#account.gid);
      }
    } finally {
      await client.end();
    }
  }

  async promote(): Promise<void> {
    const client = await this.connect();
    try {
      await client.query("SELECT pg_promote()");
    } finally {
      await client.end();
    }
  }

  freeze(): void {
    this.#signal("SIGSTOP");
  }

  thaw(): void {
    this.#signal("SIGCONT");
  }

  /** Each session is a process of its own, in a group of its own. */
  #signal(signal: NodeJS.Signals): void {
    const [pid] = readFileSync(join(this.#scratch, "data", "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), signal);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    for (const child of children.split(" ").filter((one) => one !== "")) signalIfThere(Number(child), signal);
  }

  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    return client;
  }

  async cutSessions(applicationName: string): Promise<void> {
    const client = await this.connect();
    try {
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
        [applicationName],
      );
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    this.#keeper.ref();
    this.#keeper.stdin?.end();
    await this.#exited;
  }

  /** Resolves with the first line of the log that matches. */
  #order(order: string, expected: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const listener = (line: string): void => {
        // Sessions that come during a recovery are refused with a FATAL of their own.
        if (
          order === "start" &&
          /FATAL: (?!.*the database system is)|database system is shut down/u.test(line)
        ) {
          finish(new Error(`PostgreSQL does not start:\n${this.#log.join("\n")}`));
        } else if (expected.test(line)) finish(null);
      };
      const finish = (error: Error | null): void => {
        this.#listeners.delete(listener);
        if (error === null) resolve();
        else reject(error);
      };
      this.#listeners.add(listener);
      this.#keeper.stdin?.write(`${order}\n`);
    });
  }
}

/** A session that was stopped may end as soon as the server goes on. */
const signalIfThere = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};
