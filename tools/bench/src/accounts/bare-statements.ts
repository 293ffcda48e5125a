import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type AddressBytes, nonCirculatingAccounts } from "@lamplight/core";

const columns = "program, lamports, slot, write_version, flags, rent_epoch, data";
/** A stake account in force at the clock (?1 timestamp, ?2 epoch as a column). */
const held = "(listed OR lockup_timestamp > ?1 OR lockup_epoch > ?2)";

/** The store file, read by bare statements: no decoding, no views, rows thrown away. */
export class BareStatements {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true });
    this.#database.exec("PRAGMA mmap_size = 2147483648; PRAGMA cache_size = -65536");
  }

  /** One account by its key. */
  readonly account = (): StatementSync =>
    this.#rows(`SELECT ${columns} FROM account WHERE id = ? AND tail = ?`);

  /** Token accounts of a delegate and a program, by the index. */
  readonly byDelegate = (): StatementSync =>
    this.#rows(`SELECT id, tail, ${columns} FROM account WHERE delegate = ? AND program = ? ORDER BY id`);

  /** The same with a mint. */
  readonly byDelegateAndMint = (): StatementSync =>
    this.#rows(
      `SELECT id, tail, ${columns} FROM account WHERE delegate = ? AND program = ? AND delegate_mint = ? ORDER BY id`,
    );

  /** The same by reading every account. */
  readonly scanByDelegate = (): StatementSync =>
    this.#rows(`SELECT id, tail, ${columns} FROM account NOT INDEXED WHERE delegate = ? AND program = ?`);

  readonly top = (): StatementSync =>
    this.#rows("SELECT lamports, address FROM top_account ORDER BY lamports DESC, address DESC LIMIT 20");

  /** Without held stakes; dropping listed accounts needs no statement. */
  readonly topCirculating = (): StatementSync =>
    this.#rows(`SELECT lamports, address FROM top_account AS top
WHERE NOT EXISTS (SELECT 1 FROM stake_hold WHERE stake_hold.address = top.address AND ${held})
ORDER BY lamports DESC, address DESC LIMIT 20`);

  readonly heldStakes = (): StatementSync =>
    this.#rows(
      `SELECT lamports, address FROM stake_hold WHERE ${held} ORDER BY lamports DESC, address DESC LIMIT 20`,
    );

  /** The accounts of the static list: the other half of what is not circulating. */
  readonly listed = (): StatementSync =>
    this.#rows(
      `SELECT id, tail, lamports FROM account WHERE id IN (${nonCirculatingAccounts.map(prefixOf).join(", ")})`,
    );

  /** The largest by reading every account. */
  readonly scanTop = (): StatementSync =>
    this.#rows("SELECT lamports, id, tail FROM account NOT INDEXED ORDER BY lamports DESC, id DESC LIMIT 20");

  /** Rows as arrays, as the store reads them too; objects take up to twice as long. */
  #rows(sql: string): StatementSync {
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  }

  /** A statement of the bench's own, to find what to ask for. */
  rows<Row>(sql: string, ...values: (bigint | Uint8Array)[]): readonly Row[] {
    return this.#rows(sql).all(...values) as unknown as Row[];
  }

  close(): void {
    this.#database.close();
  }
}

/** First eight bytes as the signed number that keys the account table. */
const prefixOf = (address: AddressBytes): bigint =>
  new DataView(address.buffer, address.byteOffset).getBigInt64(0);
