// Loads of the snapshot archives of one small chain, each into a store file of its own.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  loadSnapshot,
  type LoadSnapshotOptions,
  type LoadSnapshotSummary,
} from "@lamplight/runtime/snapshot";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type ChainArchives, writeChainArchives } from "./chain-archive.ts";

const ACCOUNTS = 1500;

/** A progress output that shows nothing. */
export const silent = { update: () => {}, say: () => {}, end: () => {} };

/** The archives, files and runs that the tests of a file share. Each test gets a new `file`. */
export class SnapshotLoads {
  folder = "";
  /** The store file of the test. */
  file = "";
  archives!: ChainArchives;
  #tests = 0;

  /** Both archives into `file`, with all checks. */
  get options(): LoadSnapshotOptions {
    const { full, incremental } = this.archives;
    return { full, incremental, store: `sqlite:${this.file}`, filter: null, verify: "full" };
  }

  load(more: Partial<LoadSnapshotOptions> = {}): Promise<LoadSnapshotSummary> {
    return loadSnapshot({ ...this.options, ...more }, silent);
  }

  /** Files of this test's store, without its lock. */
  leftovers(): readonly string[] {
    const isOurs = (name: string): boolean => name.startsWith(`store-${this.#tests}.db`);
    return readdirSync(this.folder).filter((name) => isOurs(name) && !name.endsWith("-lock"));
  }

  begin(): void {
    this.folder = mkdtempSync(join(tmpdir(), "lamplight-load-snapshot-"));
    this.archives = writeChainArchives(this.folder, ACCOUNTS);
  }

  nextTest(): void {
    this.#tests += 1;
    this.file = join(this.folder, `store-${this.#tests}.db`);
  }
}

/** Writes the archives before the tests of the file, and removes everything after them. */
export const useSnapshotLoads = (): SnapshotLoads => {
  const loads = new SnapshotLoads();
  beforeAll(() => loads.begin());
  beforeEach(() => loads.nextTest());
  afterAll(() => rmSync(loads.folder, { recursive: true, force: true }));
  return loads;
};

export const problemsOf = async (path: string): Promise<readonly string[]> => {
  const store = openSqliteStore({ file: path, mode: "write" });
  try {
    return await store.checkIntegrity();
  } finally {
    await store.close();
  }
};

/** Sorted rows of every table, without ordinals and change numbers, which depend on the order of writes. */
export const contentOf = (path: string): Readonly<Record<string, readonly string[]>> => {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = (sql: string): string[] => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement
      .all()
      .map((row) =>
        Object.values(row)
          .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value)))
          .join("|"),
      )
      .toSorted();
  };
  const account =
    "id, tail, p.address, lamports, slot, write_version, flags, rent_epoch, delegate, delegate_mint, data";
  try {
    return {
      head: rows(
        "SELECT slot, blockhash, top_accounts, stake_holds, floor_lamports, floor_address FROM head",
      ),
      coverage: rows("SELECT value FROM meta WHERE key = 'coverage'"),
      accounts: rows(
        `SELECT ${account} FROM account JOIN program AS p ON p.id = program`.replace(
          "SELECT id",
          "SELECT account.id",
        ),
      ),
      collisions: rows("SELECT id, tail, data FROM account_collision"),
      holdings: rows("SELECT * FROM holding"),
      nonCirculatingStakes: rows("SELECT * FROM stake_hold"),
      topAccounts: rows("SELECT * FROM top_account"),
      links: rows("SELECT * FROM link"),
      ledger: rows("SELECT * FROM ledger"),
      incompleteTrees: rows("SELECT * FROM incomplete_tree"),
      editions: rows("SELECT * FROM edition"),
      seen: rows("SELECT * FROM asset_seen"),
      assets: rows(
        "SELECT id, interface, owner, supply, name, created_slot, updated_slot, document, extras FROM asset JOIN asset_document USING (ord)",
      ),
      creators: rows(
        "SELECT a.id, c.position, c.creator, c.verified, c.share FROM asset_creator AS c JOIN asset AS a USING (ord)",
      ),
      groups: rows(
        "SELECT a.id, g.position, g.key, g.value, g.verified FROM asset_group AS g JOIN asset AS a USING (ord)",
      ),
      schema: rows("SELECT type, name, sql FROM sqlite_schema"),
    };
  } finally {
    database.close();
  }
};
