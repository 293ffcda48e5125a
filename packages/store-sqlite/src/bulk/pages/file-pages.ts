import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { LamplightError } from "@lamplight/errors";
import { PAGE_BYTES } from "../../engine/settings.ts";
import { PAGES_PER_WRITE } from "../bulk-settings.ts";
import { writeAt } from "./write-bytes.ts";

/** The engine locks these bytes of a file, and never uses their page. */
const LOCK_BYTE_PAGE = 0x4000_0000 / PAGE_BYTES + 1;

/** Places in the first page: https://www.sqlite.org/fileformat2.html#the_database_header */
const header = { bytes: 100, reserved: 20, changeCounter: 24, pageCount: 28, validFor: 92 } as const;

/** Appends pages to a database file that has neither an open connection nor a journal. */
export class FilePages {
  readonly #path: string;
  readonly #file: number;
  readonly #pagesMax: number;
  readonly #buffer = Buffer.allocUnsafeSlow(PAGES_PER_WRITE * PAGE_BYTES);
  #buffered = 0;
  /** Pages of the file, buffered ones among them. */
  #count: number;

  /** @param fileBytesMax - the file refuses to grow past this (`STORE__FULL`) */
  constructor(path: string, fileBytesMax = Infinity) {
    this.#path = path;
    this.#pagesMax = Math.ceil(fileBytesMax / PAGE_BYTES);
    this.#file = openSync(path, "r+");
    this.#count = fstatSync(this.#file).size / PAGE_BYTES;
  }

  /** Space for one more page, to be filled before the next call; not zeroed. */
  append(): { readonly number: number; readonly bytes: Buffer } {
    const bytes = this.#next();
    if (this.#count !== LOCK_BYTE_PAGE) return { number: this.#count, bytes };
    bytes.fill(0);
    return this.append();
  }

  /** Overwrites a page that existed before. */
  replace(number: number, bytes: Uint8Array): void {
    writeAt(this.#file, bytes, (number - 1) * PAGE_BYTES, this.#path);
  }

  /** Makes the appended pages visible to the engine. */
  close(): void {
    try {
      this.#flush();
      this.#writeHeader();
    } finally {
      closeSync(this.#file);
    }
  }

  /** Leaves the file as it is, because it will be removed. */
  abandon(): void {
    closeSync(this.#file);
  }

  #next(): Buffer {
    if (this.#buffered === PAGES_PER_WRITE) this.#flush();
    if (this.#count >= this.#pagesMax) throw new LamplightError("STORE__FULL", { store: this.#path });
    const from = PAGE_BYTES * this.#buffered;
    this.#buffered += 1;
    this.#count += 1;
    return this.#buffer.subarray(from, from + PAGE_BYTES);
  }

  #flush(): void {
    const position = (this.#count - this.#buffered) * PAGE_BYTES;
    writeAt(this.#file, this.#buffer.subarray(0, PAGE_BYTES * this.#buffered), position, this.#path);
    this.#buffered = 0;
  }

  #writeHeader(): void {
    const bytes = Buffer.alloc(header.bytes);
    readSync(this.#file, bytes, 0, header.bytes, 0);
    const changes = (bytes.readUInt32BE(header.changeCounter) + 1) >>> 0;
    bytes.writeUInt32BE(changes, header.changeCounter);
    bytes.writeUInt32BE(this.#count, header.pageCount);
    // The engine trusts the page count where these are equal.
    bytes.writeUInt32BE(changes, header.validFor);
    writeAt(this.#file, bytes, 0, this.#path);
  }
}
