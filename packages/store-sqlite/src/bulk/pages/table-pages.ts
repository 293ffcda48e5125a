// Writes the pages of a table without the engine. Rows that come in the order of their keys need no search, no cursor
// and no statement each, so it takes less than half the time. The format is https://www.sqlite.org/fileformat2.html,
// and the engine checks every page before the store is published.

import { PAGE_BYTES } from "../../engine/settings.ts";
import { pageKinds, PAGE_NUMBER_BYTES } from "./btree-page.ts";
import type { FilePages } from "./file-pages.ts";
import { InteriorPages } from "./interior-pages.ts";
import { LeafPage } from "./leaf-page.ts";
import { VARINT_BYTES_MAX, writeKey, writeVarint } from "./varint.ts";

/** Payload that a leaf holds itself, and what it keeps at least of a larger one. */
const LOCAL_BYTES_MAX = PAGE_BYTES - 35;
const localBytesMin = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
const overflowBytes = PAGE_BYTES - PAGE_NUMBER_BYTES;

/** Builds a table of an integer key from rows in ascending order of it. */
export class TablePages {
  readonly #pages: FilePages;
  readonly #rootPage: number;
  readonly #leaf = new LeafPage(pageKinds.tableLeaf);
  readonly #interior: InteriorPages;
  readonly #head = Buffer.alloc(2 * VARINT_BYTES_MAX);
  #lastHigh = 0;
  #lastLow = 0;

  /** @param rootPage - of the table, which is empty */
  constructor(pages: FilePages, rootPage: number) {
    this.#pages = pages;
    this.#rootPage = rootPage;
    this.#interior = new InteriorPages(pages, pageKinds.tableInterior, VARINT_BYTES_MAX);
  }

  /**
   * @param high - upper word of the key, and with `low` its two's complement
   * @param payload - the record, in the first `length` bytes
   */
  add(high: number, low: number, payload: Buffer, length: number): void {
    const head = this.#head;
    const headBytes = writeKey(head, writeVarint(head, 0, length), high, low);
    const local = localBytes(length);
    const cellBytes = headBytes + local + (local < length ? PAGE_NUMBER_BYTES : 0);
    if (!this.#leaf.hasRoom(cellBytes)) this.#endLeaf();
    const at = this.#leaf.place(cellBytes);
    const { bytes } = this.#leaf;
    for (let index = 0; index < headBytes; index += 1) bytes[at + index] = head[index] as number;
    payload.copy(bytes, at + headBytes, 0, local);
    if (local < length) bytes.writeUInt32BE(this.#overflow(payload, local, length), at + headBytes + local);
    this.#lastHigh = high;
    this.#lastLow = low;
  }

  /** The table is complete; its pages may still be in memory. */
  end(): void {
    if (this.#interior.isEmpty) {
      this.#leaf.finish();
      this.#pages.replace(this.#rootPage, this.#leaf.bytes);
      return;
    }
    this.#endLeaf();
    this.#interior.end(this.#rootPage);
  }

  #endLeaf(): void {
    this.#leaf.finish();
    const { number, bytes } = this.#pages.append();
    this.#leaf.bytes.copy(bytes);
    const key = Buffer.alloc(VARINT_BYTES_MAX);
    const keyBytes = writeKey(key, 0, this.#lastHigh, this.#lastLow);
    this.#interior.addLeaf(number, key.subarray(0, keyBytes));
    this.#leaf.clear();
  }

  /** Writes the rest of a large payload as a chain of pages. Returns the first page. */
  #overflow(payload: Buffer, from: number, end: number): number {
    // A page names the next one, so the last is written first.
    const pieces = Math.ceil((end - from) / overflowBytes);
    let next = 0;
    for (let piece = pieces - 1; piece >= 0; piece -= 1) {
      const start = from + piece * overflowBytes;
      const { number, bytes } = this.#pages.append();
      bytes.writeUInt32BE(next, 0);
      const copied = payload.copy(bytes, PAGE_NUMBER_BYTES, start, Math.min(end, start + overflowBytes));
      bytes.fill(0, PAGE_NUMBER_BYTES + copied);
      next = number;
    }
    return next;
  }
}

const localBytes = (length: number): number => {
  if (length <= LOCAL_BYTES_MAX) return length;
  const local = localBytesMin + ((length - localBytesMin) % overflowBytes);
  return local <= LOCAL_BYTES_MAX ? local : localBytesMin;
};
