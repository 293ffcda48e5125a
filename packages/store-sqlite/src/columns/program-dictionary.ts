import { type AddressBytes, AddressMap } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import type { Connection } from "../engine/connection.ts";

/**
 * Owner programs by number: a row names its program in one or two bytes instead of 32. Numbers are given once and
 * never changed, so what was read once stays true in every later snapshot.
 */
export class ProgramDictionary {
  readonly #connection: Connection;
  readonly #findById;
  readonly #findByAddress;
  readonly #insert;
  readonly #addresses = new Map<bigint, AddressBytes>();
  readonly #ids = new AddressMap<bigint>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#findById = connection.prepare("SELECT address FROM program WHERE id = ?");
    this.#findByAddress = connection.prepare("SELECT id FROM program WHERE address = ?");
    this.#insert = connection.prepare("INSERT INTO program (address) VALUES (?) RETURNING id");
  }

  /** @throws LamplightError `STORE__CORRUPT` for an unassigned number */
  readonly addressOf = (id: bigint): AddressBytes => {
    const known = this.#addresses.get(id);
    if (known !== undefined) return known;
    const row = this.#findById.get(id);
    if (row === undefined) {
      throw new LamplightError("STORE__CORRUPT", {
        store: this.#connection.file,
        reason: `an account names program ${id}, which is not in the dictionary`,
      });
    }
    const address = row[0] as Uint8Array;
    this.#addresses.set(id, address);
    return address;
  };

  /** Null when no account ever had this owner. */
  findId(address: AddressBytes): bigint | null {
    const known = this.#ids.get(address);
    if (known !== undefined) return known;
    const row = this.#findByAddress.get(address);
    if (row === undefined) return null;
    const id = row[0] as bigint;
    this.#ids.set(Uint8Array.from(address), id);
    return id;
  }

  /** The number of a program. Assigns one if it has none. Only writers may call it. */
  idOf(address: AddressBytes): bigint {
    const known = this.findId(address);
    if (known !== null) return known;
    const id = (this.#insert.get(address) as readonly [bigint])[0];
    this.#ids.set(Uint8Array.from(address), id);
    return id;
  }

  /** Drops numbers that were assigned in a transaction that was rolled back. */
  forget(): void {
    this.#addresses.clear();
    this.#ids.clear();
  }
}
