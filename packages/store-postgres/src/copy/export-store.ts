import {
  type AccountState,
  type AddressBytes,
  COPY_PAGE_DOCUMENTS,
  COPY_PAGE_ROWS,
  type StoreExport,
  type StoreHead,
  type StoreRows,
  type StoreTable,
} from "@lamplight/core";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { parsePostgresUrl } from "../engine/location.ts";
import { openSession } from "../engine/open-session.ts";
import type { Session } from "../engine/session.ts";
import { readAccountPage } from "../queries/read-account-states.ts";
import { readHead, readNotes, readSettings } from "../queries/read-head.ts";
import { readNumberedAssets } from "../queries/read-asset-page.ts";
import { assertSchemaIsCurrent } from "../schema/migrate.ts";
import { type PagesOf, plainPages } from "./plain-pages.ts";

/**
 * Exports a store at its last commit, while any process may write it. It uses one transaction of one snapshot. Until
 * it is closed, the server cannot vacuum rows that were replaced since.
 *
 * @throws LamplightError of the STORE family
 */
export const openPostgresExport = async (url: string): Promise<StoreExport> =>
  (await openExportWith(url, async () => null)).kept;

/** The same, with what `read` finds in its snapshot. */
export const openExportWith = async <Found>(
  url: string,
  read: (session: Session) => Promise<Found>,
): Promise<{ readonly kept: StoreExport; readonly found: Found }> => {
  const location = parsePostgresUrl(url);
  const session = await openSession(location, { role: "reader", statementTimeoutMs: 0 });
  try {
    await assertSchemaIsCurrent(session, location.schema);
    // While a store is copied, a page may take any time.
    await session.begin("SET LOCAL idle_in_transaction_session_timeout = 0");
    const kept = new PostgresExport(session, await readStoreHead(session));
    return { kept, found: await read(session) };
  } catch (error) {
    await session.close();
    throw error;
  }
};

class PostgresExport implements StoreExport {
  readonly head: StoreHead;
  readonly #session: Session;
  readonly #pages: { readonly [Table in StoreTable]: PagesOf<StoreRows[Table]> };

  constructor(session: Session, head: StoreHead) {
    this.#session = session;
    this.head = head;
    this.#pages = {
      accounts: accountPages(session),
      assets: assetPages(session),
      ...plainPages(session),
    };
  }

  pages<Table extends StoreTable>(table: Table): AsyncIterable<readonly StoreRows[Table][]> {
    return this.#pages[table]();
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}

const readStoreHead = async (session: Session): Promise<StoreHead> => {
  const [{ slot, blockhash, changeSeq, nextOrdinal }, { coverage, holdings, holders }, notes] =
    await Promise.all([readHead(session), readSettings(session), readNotes(session)]);
  return {
    watermark: slot === null ? null : { slot, blockhash },
    changeSeq,
    nextOrdinal,
    coverage,
    holdings,
    holders,
    notes,
  };
};

/** The last address whose first bit is not set: the sign of its prefix. */
const lastPositive = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 0x7f : 0xff));

const accountPages = (session: Session): PagesOf<AccountState> => {
  const programs = new ProgramDictionary();
  /** @param through - null = to the end */
  async function* pagesFrom(
    first: AddressBytes | null,
    through: AddressBytes | null,
  ): AsyncGenerator<readonly AccountState[], void, undefined> {
    let after = first;
    for (;;) {
      const page: readonly AccountState[] = await readAccountPage(session, programs, after, COPY_PAGE_ROWS);
      const wanted =
        through === null ? page : page.filter(({ current }) => Buffer.compare(current.address, through) <= 0);
      if (wanted.length > 0) yield wanted;
      if (wanted.length < page.length || page.length === 0) return;
      after = page.at(-1)?.current.address as AddressBytes;
    }
  }
  return async function* pages() {
    yield* pagesFrom(lastPositive, null);
    yield* pagesFrom(null, lastPositive);
  };
};

const assetPages = (session: Session): PagesOf<StoreRows["assets"]> =>
  async function* pages() {
    let from = 0;
    for (;;) {
      const page = await readNumberedAssets(session, from, COPY_PAGE_DOCUMENTS);
      if (page.length === 0) return;
      yield page;
      from = (page.at(-1)?.ordinal as number) + 1;
    }
  };
