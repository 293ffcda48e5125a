import type { AddressBytes } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { arrayParameter } from "../engine/array-parameter.ts";
import type { Statements } from "../engine/statements.ts";
import { statement } from "../engine/statement.ts";
import { mapKeyOf } from "./keys.ts";

const findById = statement("SELECT id, address FROM program WHERE id = ANY ($1::integer[])");
const findByAddress = statement("SELECT address, id FROM program WHERE address = ANY ($1::bytea[])");
const findHighest = statement("SELECT max(id) FROM program");
const insertAll = statement(
  "INSERT INTO program (id, address) SELECT * FROM unnest($1::integer[], $2::bytea[])",
  "INSERT INTO program (id, address) SELECT given.* FROM head, unnest($1::integer[], $2::bytea[]) AS given",
);

/**
 * Owner programs by number: a row names its program in four bytes instead of 32. Numbers are given once and never
 * changed, so what was read once from a commit stays true in every later snapshot of the same history.
 */
export class ProgramDictionary {
  readonly #addresses = new Map<number, AddressBytes>();
  readonly #ids = new Map<string, number>();

  /** Makes `addressOf` answer for these numbers. */
  async learn(db: Statements, ids: Iterable<number>): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#addresses.has(id));
    if (unknown.length === 0) return;
    for (const [id, address] of await db.all(findById, arrayParameter("integer", unknown))) {
      this.#addresses.set(id as number, address as AddressBytes);
    }
  }

  knows(id: number): boolean {
    return this.#addresses.has(id);
  }

  /** @throws LamplightError `STORE__CORRUPT` for an unassigned number, or one that was not loaded */
  readonly addressOf = (id: number): AddressBytes => {
    const known = this.#addresses.get(id);
    if (known !== undefined) return known;
    throw new LamplightError("STORE__CORRUPT", {
      store: "the account table",
      reason: `an account names program ${id}, which is not in the dictionary`,
    });
  };

  /** Undefined where it is not known yet. */
  idOf(address: AddressBytes): number | undefined {
    return this.#ids.get(mapKeyOf(address));
  }

  /** Null when no account ever had this owner. */
  async findId(db: Statements, address: AddressBytes): Promise<number | null> {
    await this.#learnIds(db, [address]);
    return this.#ids.get(mapKeyOf(address)) ?? null;
  }

  /**
   * The numbers of programs, in a transaction of the writer; those without a number get one. If the transaction
   * fails, the caller calls `forget`.
   */
  async idsOf(
    db: Statements,
    addresses: readonly AddressBytes[],
  ): Promise<(address: AddressBytes) => number> {
    const missing = await this.#learnIds(db, addresses);
    if (missing.length > 0) {
      let highest = Number((await db.get(findHighest))?.[0] ?? 0);
      const ids = missing.map(() => (highest += 1));
      await db.run(insertAll, arrayParameter("integer", ids), arrayParameter("bytea", missing));
      for (const [index, address] of missing.entries())
        this.#ids.set(mapKeyOf(address), ids[index] as number);
    }
    return (address) => this.#ids.get(mapKeyOf(address)) as number;
  }

  /** Drops numbers that were assigned in a transaction that was rolled back. */
  forget(): void {
    this.#addresses.clear();
    this.#ids.clear();
  }

  /** Those that have no number. */
  async #learnIds(db: Statements, addresses: readonly AddressBytes[]): Promise<readonly AddressBytes[]> {
    const unknown = new Map<string, AddressBytes>();
    for (const address of addresses) {
      const key = mapKeyOf(address);
      if (!this.#ids.has(key)) unknown.set(key, address);
    }
    if (unknown.size === 0) return [];
    const asked = arrayParameter("bytea", [...unknown.values()]);
    for (const [address, id] of await db.all(findByAddress, asked)) {
      const key = mapKeyOf(address as AddressBytes);
      this.#ids.set(key, id as number);
      // A view of an older snapshot finds the number here, and may not find the row.
      this.#addresses.set(id as number, address as AddressBytes);
      unknown.delete(key);
    }
    return [...unknown.values()];
  }
}
