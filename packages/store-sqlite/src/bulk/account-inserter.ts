import type { StakeHold } from "@lamplight/core";
import { rentExemptBit } from "../columns/account-row.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { u64ToColumn } from "../columns/u64-column.ts";
import type { Connection, Statement } from "../engine/connection.ts";
import type { SQLInputValue } from "node:sqlite";
import { BULK_STATEMENT_ROWS } from "./bulk-settings.ts";
import type { EncodedRows } from "./encode-rows.ts";
import type { HoldingSpill } from "./holding-spill.ts";
import type { TopAccountsDraft } from "./top-accounts-draft.ts";

const columns =
  "id, tail, program, lamports, slot, write_version, flags, rent_epoch, delegate, delegate_mint, data";
const columnsPerRow = 11;
const placeholders = `(${Array.from({ length: columnsPerRow }, () => "?").join(", ")})`;

/** Inserts rows of living accounts in ascending order of their keys, with everything that follows from their bytes. */
export class AccountInserter {
  readonly #programs: ProgramDictionary;
  readonly #holdings: HoldingSpill | null;
  readonly #topAccounts: TopAccountsDraft;
  readonly #insertMany: Statement;
  readonly #insertOne: Statement;
  readonly #insertCollision: Statement;
  readonly #insertHold: Statement;
  readonly #values: SQLInputValue[] = Array.from({ length: BULK_STATEMENT_ROWS * columnsPerRow }, () => null);
  readonly #collision: SQLInputValue[] = Array.from({ length: columnsPerRow }, () => null);
  #filled = 0;
  #lastId: bigint | null = null;
  #accounts = 0;
  #stakeHolds = 0;

  constructor(
    connection: Connection,
    programs: ProgramDictionary,
    holdings: HoldingSpill | null,
    topAccounts: TopAccountsDraft,
  ) {
    this.#programs = programs;
    this.#holdings = holdings;
    this.#topAccounts = topAccounts;
    const rows = Array.from({ length: BULK_STATEMENT_ROWS }, () => placeholders).join(", ");
    this.#insertMany = connection.prepare(`INSERT INTO account (${columns}) VALUES ${rows}`);
    this.#insertOne = connection.prepare(`INSERT INTO account (${columns}) VALUES ${placeholders}`);
    this.#insertCollision = connection.prepare(
      `INSERT INTO account_collision (${columns}) VALUES ${placeholders}`,
    );
    this.#insertHold = connection.prepare("INSERT INTO stake_hold VALUES (?, ?, ?, ?, ?)");
  }

  get accounts(): number {
    return this.#accounts;
  }

  get stakeHolds(): number {
    return this.#stakeHolds;
  }

  /** The rows may be gone when this returns. */
  add(rows: EncodedRows): void {
    const programs = this.#programIds(rows.programs);
    for (let row = 0; row < rows.count; row += 1) this.#addRow(rows, row, programs);
    this.#flush();
    this.#holdings?.add(rows.holdings);
    for (const hold of rows.stakeHolds) this.#addHold(hold);
    this.#topAccounts.add(rows, this.#stakeHolds);
    this.#accounts += rows.count;
  }

  #addRow(rows: EncodedRows, row: number, programs: readonly bigint[]): void {
    const id = rows.ids[row] as bigint;
    const flags = rows.flags[row] as number;
    const delegate = rows.delegateNumbers[row] as number;
    const values = this.#values;
    let at = id === this.#lastId ? 0 : this.#filled;
    const target = id === this.#lastId ? this.#collision : values;
    target[at++] = id;
    target[at++] = rows.tails.subarray(24 * row, 24 * row + 24);
    target[at++] = programs[rows.programNumbers[row] as number] as bigint;
    target[at++] = rows.lamports[row] as bigint;
    target[at++] = rows.slots[row] as number;
    target[at++] = rows.writeVersions[row] as number;
    target[at++] = flags;
    target[at++] = (flags & rentExemptBit) === 0 ? (rows.rentEpochs[row] as bigint) : null;
    target[at++] = delegate < 0 ? null : rows.delegates.subarray(64 * delegate, 64 * delegate + 32);
    target[at++] = delegate < 0 ? null : rows.delegates.subarray(64 * delegate + 32, 64 * delegate + 64);
    target[at] = rows.data.subarray(rows.dataStarts[row], rows.dataStarts[row + 1]);
    if (target === this.#collision) this.#insertCollision.run(...this.#collision);
    else this.#filled += columnsPerRow;
    this.#lastId = id;
    if (this.#filled < values.length) return;
    this.#insertMany.run(...values);
    this.#filled = 0;
  }

  #programIds(programs: Uint8Array): bigint[] {
    const ids: bigint[] = [];
    for (let at = 0; at < programs.length; at += 32) {
      ids.push(this.#programs.idOf(programs.subarray(at, at + 32)));
    }
    return ids;
  }

  #addHold({ address, lamports, lockupTimestamp, lockupEpoch, listedWithdrawer }: StakeHold): void {
    this.#insertHold.run(
      address,
      u64ToColumn(lamports),
      lockupTimestamp,
      u64ToColumn(lockupEpoch),
      Number(listedWithdrawer),
    );
    this.#stakeHolds += 1;
  }

  /** Rows that fill no statement of many. */
  #flush(): void {
    for (let at = 0; at < this.#filled; at += columnsPerRow) {
      this.#insertOne.run(...this.#values.slice(at, at + columnsPerRow));
    }
    this.#filled = 0;
  }
}
