import { type Account, deriveAccountFacts } from "@lamplight/core";
import { accountKeyOf } from "../columns/account-key.ts";
import { encodeAccountRow, holdingBit, stakeHoldBit } from "../columns/account-row.ts";
import type { ProgramDictionary } from "../columns/program-dictionary.ts";
import { u64ToColumn } from "../columns/u64-column.ts";
import type { Connection, Statement } from "../engine/connection.ts";
import type { SQLInputValue } from "node:sqlite";
import { BULK_STATEMENT_ROWS } from "./bulk-settings.ts";
import type { HoldingSpill } from "./holding-spill.ts";
import type { TopAccountsDraft } from "./top-accounts-draft.ts";

const columns =
  "id, tail, program, lamports, slot, write_version, flags, rent_epoch, delegate, delegate_mint, data";
const columnsPerRow = 11;
const placeholders = `(${Array.from({ length: columnsPerRow }, () => "?").join(", ")})`;

/** Inserts living accounts in ascending order of their keys, with everything that follows from their bytes. */
export class AccountInserter {
  readonly #programs: ProgramDictionary;
  readonly #holdings: HoldingSpill | null;
  readonly #topAccounts: TopAccountsDraft;
  readonly #insertMany: Statement;
  readonly #insertOne: Statement;
  readonly #insertCollision: Statement;
  readonly #insertHold: Statement;
  #values: SQLInputValue[] = [];
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

  add(account: Account): void {
    const facts = deriveAccountFacts(account);
    const encoded = encodeAccountRow(account);
    const key = accountKeyOf(account.address);
    const indexBits =
      (facts.holding === null ? 0 : holdingBit) | (facts.stakeHold === null ? 0 : stakeHoldBit);
    const row: SQLInputValue[] = [
      key.id,
      key.tail,
      this.#programs.idOf(account.programOwner),
      u64ToColumn(account.lamports),
      account.slot,
      account.writeVersion,
      encoded.flags | indexBits,
      encoded.rentEpoch,
      facts.delegate,
      facts.delegateMint,
      encoded.data,
    ];
    if (key.id === this.#lastId) this.#insertCollision.run(...row);
    else {
      for (const value of row) this.#values.push(value);
      if (this.#values.length === BULK_STATEMENT_ROWS * columnsPerRow) {
        this.#insertMany.run(...this.#values);
        this.#values = [];
      }
    }
    this.#lastId = key.id;
    this.#accounts += 1;
    if (facts.holding !== null) this.#holdings?.add(facts.holding);
    if (facts.stakeHold !== null) {
      const { address, lamports, lockupTimestamp, lockupEpoch, listedWithdrawer } = facts.stakeHold;
      this.#insertHold.run(
        address,
        u64ToColumn(lamports),
        lockupTimestamp,
        u64ToColumn(lockupEpoch),
        Number(listedWithdrawer),
      );
      this.#stakeHolds += 1;
    }
    this.#topAccounts.add(account.lamports, account.address, this.#stakeHolds);
  }

  /** Rows that wait for a full statement. */
  flush(): void {
    for (let at = 0; at < this.#values.length; at += columnsPerRow) {
      this.#insertOne.run(...this.#values.slice(at, at + columnsPerRow));
    }
    this.#values = [];
  }
}
