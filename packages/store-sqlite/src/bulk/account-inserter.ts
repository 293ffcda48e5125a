import { type NonCirculatingStake, rentExemptBit, u64ToColumn } from "@lamplight/core";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import type { Connection, Statement } from "../engine/connection.ts";
import type { SQLInputValue } from "node:sqlite";
import { AccountRecord, type RowsWithWords, withWords } from "./account-record.ts";
import type { DelegateIndexes } from "./delegate-indexes.ts";
import { DELEGATE_BYTES, type EncodedRows, TAIL_BYTES } from "./encode-rows.ts";
import type { HoldingSpill } from "./holding-spill.ts";
import type { TablePages } from "./pages/table-pages.ts";
import type { TopAccountsDraft } from "./top-accounts-draft.ts";

const columns =
  "id, tail, program, lamports, slot, write_version, flags, rent_epoch, delegate, delegate_mint, data";
const collisionSql = `INSERT INTO account_collision (${columns}) VALUES (${columns.replaceAll(/\w+/g, "?")})`;

/** Inserts rows of living accounts, ascending by key, and the index rows that are derived from their bytes. */
export class AccountInserter {
  readonly #programs: ProgramDictionary;
  readonly #table: TablePages;
  readonly #delegates: DelegateIndexes;
  readonly #record = new AccountRecord();
  readonly #holdings: HoldingSpill | null;
  readonly #topAccounts: TopAccountsDraft;
  readonly #insertCollision: Statement;
  readonly #insertHold: Statement;
  #lastId: bigint | null = null;
  #accounts = 0;
  #nonCirculatingStakes = 0;

  /** @param otherTables - where rows of other tables than that of accounts go */
  constructor(
    { otherTables, programs }: { readonly otherTables: Connection; readonly programs: ProgramDictionary },
    table: TablePages,
    delegates: DelegateIndexes,
    holdings: HoldingSpill | null,
    topAccounts: TopAccountsDraft,
  ) {
    this.#programs = programs;
    this.#table = table;
    this.#delegates = delegates;
    this.#holdings = holdings;
    this.#topAccounts = topAccounts;
    this.#insertCollision = otherTables.prepare(collisionSql);
    this.#insertHold = otherTables.prepare("INSERT INTO stake_hold VALUES (?, ?, ?, ?, ?)");
  }

  get accounts(): number {
    return this.#accounts;
  }

  get nonCirculatingStakes(): number {
    return this.#nonCirculatingStakes;
  }

  /** The memory of the rows may be used again afterwards. */
  add(rows: EncodedRows): void {
    const programs = this.#programIds(rows.programs);
    const worded = withWords(rows);
    for (let row = 0; row < rows.count; row += 1) {
      const id = rows.ids[row] as bigint;
      const program = programs[rows.programNumbers[row] as number] as number;
      if (id === this.#lastId) {
        this.#insertCollision.run(...collisionOf(rows, row, program));
        continue;
      }
      this.#lastId = id;
      this.#addRow(worded, row, program);
    }
    this.#holdings?.add(rows.holdings);
    for (const hold of rows.nonCirculatingStakes) this.#addHold(hold);
    this.#topAccounts.add(rows, this.#nonCirculatingStakes);
    this.#accounts += rows.count;
  }

  #addRow(rows: RowsWithWords, row: number, program: number): void {
    const high = rows.words.ids[2 * row + 1] as number;
    const low = rows.words.ids[2 * row] as number;
    const length = this.#record.write(rows, row, program);
    this.#table.add(high, low, this.#record.bytes, length);
    const delegate = rows.delegateNumbers[row] as number;
    if (delegate < 0) return;
    const addresses = rows.delegates.subarray(DELEGATE_BYTES * delegate, DELEGATE_BYTES * (delegate + 1));
    this.#delegates.add(addresses, program, high, low);
  }

  #programIds(programs: Uint8Array): number[] {
    const ids: number[] = [];
    for (let at = 0; at < programs.length; at += 32) {
      ids.push(Number(this.#programs.idOf(programs.subarray(at, at + 32))));
    }
    return ids;
  }

  #addHold({ address, lamports, lockupTimestamp, lockupEpoch, listedWithdrawer }: NonCirculatingStake): void {
    this.#insertHold.run(
      address,
      u64ToColumn(lamports),
      lockupTimestamp,
      u64ToColumn(lockupEpoch),
      Number(listedWithdrawer),
    );
    this.#nonCirculatingStakes += 1;
  }
}

const collisionOf = (rows: EncodedRows, row: number, program: number): readonly SQLInputValue[] => {
  const flags = rows.flags[row] as number;
  const delegate = rows.delegateNumbers[row] as number;
  const delegateAt = DELEGATE_BYTES * delegate;
  return [
    rows.ids[row] as bigint,
    rows.tails.subarray(TAIL_BYTES * row, TAIL_BYTES * (row + 1)),
    program,
    rows.lamports[row] as bigint,
    rows.slots[row] as number,
    rows.writeVersions[row] as number,
    flags,
    (flags & rentExemptBit) === 0 ? (rows.rentEpochs[row] as bigint) : null,
    delegate < 0 ? null : rows.delegates.subarray(delegateAt, delegateAt + 32),
    delegate < 0 ? null : rows.delegates.subarray(delegateAt + 32, delegateAt + DELEGATE_BYTES),
    rows.data.subarray(rows.dataStarts[row], rows.dataStarts[row + 1]),
  ];
};
