import {
  type AccountState,
  type AddressBytes,
  COPY_PAGE_DOCUMENTS,
  COPY_PAGE_ROWS,
  DERIVATION,
  DERIVATION_KEY,
  holdersKey,
  NEXT_DERIVATION_KEY,
  ROWS_FORMAT_KEY,
  type StoreExport,
  type StoreHead,
  type StoreRows,
  type StoreTable,
} from "@lamplight/core";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection } from "../engine/connection.ts";
import { readerPragmas, WRITER_BUSY_MS } from "../engine/settings.ts";
import { prepareReadAccountPage } from "../queries/read-account-states.ts";
import { prepareReadNumberedAssets } from "../queries/read-asset-page.ts";
import { prepareReadHead, prepareReadSettings } from "../queries/read-head.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";
import { type PagesOf, plainPages } from "./plain-pages.ts";

/**
 * Exports a store at its last commit, while any process may write it. During a long export, the writer's log cannot
 * restart.
 *
 * @throws LamplightError of the STORE family
 */
export const openSqliteExport = (file: string): StoreExport => {
  const connection = new Connection(file, { readOnly: true, busyMs: WRITER_BUSY_MS });
  try {
    return new SqliteExport(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
};

class SqliteExport implements StoreExport {
  readonly head: StoreHead;
  readonly #connection: Connection;
  readonly #pages: { readonly [Table in StoreTable]: PagesOf<StoreRows[Table]> };

  constructor(connection: Connection) {
    this.#connection = connection;
    for (const pragma of readerPragmas) connection.execute(`PRAGMA ${pragma}`);
    // Every page is read once. With memory mapping, the whole file would count as memory of the process.
    connection.execute("PRAGMA mmap_size = 0");
    assertSchemaIsCurrent(connection);
    connection.beginRead();
    this.head = readStoreHead(connection);
    this.#pages = {
      accounts: accountPages(connection),
      assets: assetPages(connection),
      ...plainPages(connection),
    };
  }

  pages<Table extends StoreTable>(table: Table): Iterable<readonly StoreRows[Table][]> {
    return this.#pages[table]();
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** Entries of the key-value table that are exported separately, or belong to this file only. */
const ownKeys = ["coverage", "holdings", holdersKey, "store_id", ROWS_FORMAT_KEY, NEXT_DERIVATION_KEY];

const readStoreHead = (connection: Connection): StoreHead => {
  const { slot, blockhash, changeSeq, nextOrdinal } = prepareReadHead(connection)();
  const { coverage, holdings, holders } = prepareReadSettings(connection)();
  const entries = connection
    .prepare("SELECT key, value FROM meta ORDER BY key")
    .all()
    .map(([key, value]) => [key as string, value as string] as const)
    // A store that is made here has the rules of this version anyway.
    .filter(([key, value]) => key !== DERIVATION_KEY || value !== String(DERIVATION))
    .filter(([key]) => !ownKeys.includes(key));
  return {
    watermark: slot === null ? null : { slot, blockhash },
    changeSeq,
    nextOrdinal,
    coverage,
    holdings,
    holders,
    notes: Object.fromEntries(entries),
  };
};

const accountPages = (connection: Connection): PagesOf<AccountState> => {
  const programs = new ProgramDictionary(connection);
  const readPage = prepareReadAccountPage(connection, programs.addressOf);
  return function* pages() {
    let after: AddressBytes | null = null;
    for (;;) {
      const page: readonly AccountState[] = readPage(after, COPY_PAGE_ROWS);
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)?.current.address as AddressBytes;
    }
  };
};

const assetPages = (connection: Connection): PagesOf<StoreRows["assets"]> => {
  const readPage = prepareReadNumberedAssets(connection);
  return function* pages() {
    let from = 0;
    for (;;) {
      const page = readPage(from, COPY_PAGE_DOCUMENTS);
      if (page.length === 0) return;
      yield page;
      from = (page.at(-1)?.ordinal as number) + 1;
    }
  };
};
