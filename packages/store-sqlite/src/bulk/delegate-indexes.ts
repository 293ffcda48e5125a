import type { FilePages } from "./pages/file-pages.ts";
import { IndexPages } from "./pages/index-pages.ts";
import { intType, valueTypes, writeInt, writeInt64 } from "./pages/record-values.ts";
import { SortedSpill } from "./sorted-spill.ts";

const ADDRESS_BYTES = 32;
const NUMBER_BYTES = 4;
const ID_BYTES = 8;
const addressType = valueTypes.blob + 2 * ADDRESS_BYTES;
const SIGN_BIT = 0x80000000;

/**
 * The partial indexes of the account table, which list few of its rows. They are built from notes about these rows,
 * because the engine would read the whole table again for each index.
 */
export class DelegateIndexes {
  readonly #byDelegate: AddressIndex;
  readonly #byMint: AddressIndex;

  constructor(folder: string) {
    this.#byDelegate = new AddressIndex(folder, "delegates", 1);
    this.#byMint = new AddressIndex(folder, "delegate-mints", 2);
  }

  /**
   * Adds a row. Rows come in ascending order of their keys.
   *
   * @param addresses - delegate and mint, side by side
   * @param high - upper word of the key of the row, and with `low` its two's complement
   */
  add(addresses: Uint8Array, program: number, high: number, low: number): void {
    this.#byDelegate.add(addresses, program, high, low);
    this.#byMint.add(addresses, program, high, low);
  }

  write(pages: FilePages, roots: { readonly delegate: number; readonly delegateMint: number }): void {
    this.#byDelegate.write(pages, roots.delegate);
    this.#byMint.write(pages, roots.delegateMint);
  }

  close(): void {
    this.#byDelegate.close();
    this.#byMint.close();
  }
}

/** Addresses, the number of a program and the key of a row, as bytes that sort as the engine sorts them. */
class AddressIndex {
  readonly #addresses: number;
  readonly #keyBytes: number;
  readonly #row: Buffer;
  readonly #spill: SortedSpill;

  constructor(folder: string, name: string, addresses: number) {
    this.#addresses = addresses;
    this.#keyBytes = addresses * ADDRESS_BYTES;
    this.#row = Buffer.alloc(this.#keyBytes + NUMBER_BYTES + ID_BYTES);
    // Rows come ascending by key.
    this.#spill = new SortedSpill(folder, name, this.#row.length, this.#keyBytes + NUMBER_BYTES);
  }

  add(addresses: Uint8Array, program: number, high: number, low: number): void {
    const row = this.#row;
    row.set(addresses.subarray(0, this.#keyBytes));
    row.writeUInt32BE(program, this.#keyBytes);
    writeInt64(row, this.#keyBytes + NUMBER_BYTES, high ^ SIGN_BIT, low);
    this.#spill.add(row);
  }

  write(pages: FilePages, rootPage: number): void {
    const record = Buffer.alloc(2 * this.#row.length);
    const index = new IndexPages(pages, rootPage, record.length);
    for (const [bytes, at] of this.#spill.rows()) index.add(record, this.#writeRecord(record, bytes, at));
    index.end();
  }

  close(): void {
    this.#spill.close();
  }

  #writeRecord(record: Buffer, bytes: Buffer, at: number): number {
    const program = bytes.readUInt32BE(at + this.#keyBytes);
    let to = 1;
    for (let address = 0; address < this.#addresses; address += 1) record[to++] = addressType;
    record[to++] = intType(program);
    record[to++] = valueTypes.int64;
    record[0] = to;
    to += bytes.copy(record, to, at, at + this.#keyBytes);
    to = writeInt(record, to, program);
    const id = at + this.#keyBytes + NUMBER_BYTES;
    return writeInt64(record, to, bytes.readUInt32BE(id) ^ SIGN_BIT, bytes.readUInt32BE(id + 4));
  }
}
