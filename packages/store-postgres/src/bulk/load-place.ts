import { genesisKey, holdersKey } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { CopySession } from "../engine/copy-session.ts";
import { encodeCopyRows } from "../engine/copy-rows.ts";
import type { PostgresLocation } from "../engine/location.ts";
import type { Session } from "../engine/session.ts";
import { statement } from "../engine/statement.ts";
import { WriterSession } from "../writes/writer-session.ts";
import { distribution } from "../schema/distribution.ts";
import type { Columns } from "../writes/bulk.ts";
import { assertStillWriter, draftHead, type HeadDraft, writeHead } from "../writes/write-head.ts";
import { buildIndexes, dropIndexes, readIndexes } from "./deferred-indexes.ts";
import {
  type DeferredIndex,
  findUnfinishedLoad,
  markUnfinishedLoad,
  type UnfinishedLoad,
  unmarkUnfinishedLoad,
} from "../schema/unfinished-load.ts";
import type { Element } from "../engine/array-parameter.ts";

/** What a load does with tables next to those of the store, and where a store has several databases. */
export interface LoadedBeside {
  /** Called before tables are created. */
  assertUse(session: Session, schema: string): Promise<void>;
  /** Called before anything is removed. */
  check(session: Session): Promise<void>;
  /** Called in the transaction that opens the store to readers. */
  finish?(session: Session): Promise<void>;
  /**
   * Whether a load that failed may leave an empty store here, because no other database has rows of it; default yes.
   * Otherwise the store stays unfinished.
   */
  mayBeEmptied?(place: LoadPlace): boolean;
}

const countAccounts = statement("SELECT count(*) FROM account");

/** Tables that a load fills: all but those that describe the store itself. */
const ownTables = ["head", "meta", "writer_history"];
const filledTables = Object.keys(distribution).filter((table) => !ownTables.includes(table));

/** Tables whose indexes are built last. In the others, rows are replaced while more are added. */
const copiedTables = filledTables.filter((table) => table !== "incomplete_tree");

/**
 * The tables of an empty store while they are filled. No view can be opened, since the head row has no slot yet. No
 * other writer opens them, since `meta` records the load.
 */
export class LoadPlace {
  readonly writer: WriterSession;
  readonly #location: PostgresLocation;
  readonly #copying: CopySession;
  readonly #indexes: readonly DeferredIndex[];
  readonly #beside: LoadedBeside | undefined;
  /** Whether an unfinished load was removed. */
  readonly isRepeated: boolean;
  #isFinished = false;
  #isEmptied = false;

  private constructor(
    location: PostgresLocation,
    writer: WriterSession,
    copying: CopySession,
    started: Started,
    beside: LoadedBeside | undefined,
  ) {
    this.#location = location;
    this.writer = writer;
    this.#copying = copying;
    this.#indexes = started.indexes;
    this.isRepeated = started.isRepeated;
    this.#beside = beside;
  }

  /**
   * Takes the writer's lock, and creates the tables if there are none. Removes rows of an unfinished load, and drops
   * the indexes.
   *
   * @param beside - given for one database of a store of several shards
   * @throws LamplightError `STORE__NOT_EMPTY`, `STORE__LOCKED` and others of the STORE family
   */
  static async open(
    location: PostgresLocation,
    holdings: boolean,
    beside?: LoadedBeside,
  ): Promise<LoadPlace> {
    const { writer } = await WriterSession.open(location, true, {
      takesUpUnfinished: true,
      ...(beside === undefined ? {} : { assertUse: beside.assertUse }),
    });
    let copying: CopySession | null = null;
    try {
      copying = await CopySession.open(location);
      const started = await writer.write(async (session) => {
        await beside?.check(session);
        const found = await start(session, location.schema, holdings);
        await assertStillWriter(session, writer.epoch);
        return found;
      });
      return new LoadPlace(location, writer, copying, started, beside);
    } catch (error) {
      await copying?.close();
      await writer.close();
      throw error;
    }
  }

  /** Adds rows by COPY; answers how many there were. */
  async copy(table: string, columns: Columns, rows: readonly (readonly Element[])[]): Promise<number> {
    if (rows.length === 0) return 0;
    const types = columns.map(([, type]) => type);
    return this.copyEncoded(
      table,
      columns.map(([name]) => name),
      encodeCopyRows(types, rows).bytes,
    );
  }

  /** The same, of rows that are encoded already. */
  async copyEncoded(table: string, columns: readonly string[], rows: Uint8Array): Promise<number> {
    return rows.length === 0 ? 0 : this.#copying.copy(table, columns, [rows]);
  }

  /** Builds the indexes, and lets the server analyze the tables. */
  async buildIndexes(onIndex: (name: string) => void): Promise<void> {
    await this.writer.read(async (session) => {
      await buildIndexes(session, this.#location.schema, this.#indexes, onIndex);
      for (const table of filledTables) await session.execute(`ANALYZE ${table}`);
    });
  }

  /** @throws LamplightError `STORE__CORRUPT` where not as many accounts are there as were added */
  async assertAccounts(expected: number): Promise<void> {
    const row = await this.writer.read((session) => session.get(countAccounts));
    const found = Number(row?.[0]);
    if (found === expected) return;
    const reason = `${expected} accounts were written, ${found} are there`;
    throw new LamplightError("STORE__CORRUPT", { store: this.#location.name, reason });
  }

  /** Changes the head row; the load stays unfinished. */
  async changeHead(change: (session: Session, head: HeadDraft) => Promise<void> | void): Promise<void> {
    await this.writer.write(async (session) => {
      const head = await draftHead(session, this.writer.epoch);
      await change(session, head);
      await writeHead(session, head);
    });
  }

  /** The last step: from here on readers and writers can open the store. */
  async finish(change: (session: Session, head: HeadDraft) => Promise<void> | void): Promise<void> {
    await this.changeHead(async (session, head) => {
      await change(session, head);
      await this.#beside?.finish?.(session);
      await unmarkUnfinishedLoad(session);
    });
    this.#isFinished = true;
  }

  /** Whether `close` left an empty store. */
  get isEmptied(): boolean {
    return this.#isEmptied;
  }

  /** Empties the tables unless the load was finished. */
  async close(): Promise<void> {
    try {
      await this.#copying.close();
      if (!this.#isFinished && this.#beside?.mayBeEmptied?.(this) !== false) {
        await this.writer.write(async (session) => {
          await emptyAgain(session, this.#location.schema);
          await assertStillWriter(session, this.writer.epoch);
        });
        this.#isEmptied = true;
      }
    } catch {
      // If the server cannot be reached, the mark stays, and the next load empties the tables. The caller already has
      // the first error.
    }
    await this.writer.close();
  }
}

interface Started {
  readonly indexes: readonly DeferredIndex[];
  readonly isRepeated: boolean;
}

const start = async (session: Session, schema: string, holdings: boolean): Promise<Started> => {
  const left = await findUnfinishedLoad(session);
  if (left === null) await assertEmpty(session);
  else await putBack(session, schema, left);
  const indexes = await readIndexes(session, schema, copiedTables);
  await markUnfinishedLoad(session, { indexes });
  await dropIndexes(session, indexes);
  // Entries about the chain of the empty store do not apply to the new rows.
  await session.execute(`DELETE FROM meta WHERE key IN ('holdings', '${holdersKey}', '${genesisKey}')`);
  if (!holdings) await session.execute("INSERT INTO meta VALUES ('holdings', 'off')");
  return { indexes, isRepeated: left !== null };
};

const emptyAgain = async (session: Session, schema: string): Promise<void> => {
  const left = await findUnfinishedLoad(session);
  if (left === null) return;
  await putBack(session, schema, left);
  await unmarkUnfinishedLoad(session);
};

/** Empty tables with all their indexes, as a new store has them. */
const putBack = async (session: Session, schema: string, { indexes }: UnfinishedLoad): Promise<void> => {
  await session.execute(`TRUNCATE ${filledTables.join(", ")}`);
  await session.execute(`UPDATE head SET slot = NULL, blockhash = NULL, change_seq = 0, next_ordinal = 0,
floor_lamports = -9223372036854775808, floor_address = '', top_accounts = 0, stake_holds = 0 WHERE id = 1`);
  await buildIndexes(session, schema, indexes);
};

const contentTables = ["account", "tombstone", "asset", "ledger", "asset_seen", "offchain"];

const assertEmpty = async (session: Session): Promise<void> => {
  const parts = contentTables.map((table) => `EXISTS (SELECT 1 FROM ${table})`);
  const [row] = await session.execute(
    `SELECT ${parts.join(" OR ")} OR EXISTS (SELECT 1 FROM head WHERE slot IS NOT NULL)`,
  );
  if (row?.[0] === true) throw new LamplightError("STORE__NOT_EMPTY", { store: session.store });
};
