import { PAGE_BYTES } from "../../engine/settings.ts";
import { HEADER_BYTES, POINTER_BYTES, writePageHeader } from "./btree-page.ts";

/** A leaf page while it is filled: pointers from its start, cells from its end. */
export class LeafPage {
  readonly bytes: Buffer = Buffer.alloc(PAGE_BYTES);
  readonly #kind: number;
  cells = 0;
  #content = PAGE_BYTES;

  constructor(kind: number) {
    this.#kind = kind;
  }

  hasRoom(cellBytes: number): boolean {
    return HEADER_BYTES + POINTER_BYTES * (this.cells + 1) <= this.#content - cellBytes;
  }

  /** Makes room for the next cell, and returns its offset in the page. */
  place(cellBytes: number): number {
    this.#content -= cellBytes;
    this.bytes.writeUInt16BE(this.#content, HEADER_BYTES + POINTER_BYTES * this.cells);
    this.cells += 1;
    return this.#content;
  }

  /** Removes the last cell, and returns a copy of it. */
  takeLast(): Buffer {
    this.cells -= 1;
    const at = HEADER_BYTES + POINTER_BYTES * this.cells;
    const end = this.cells === 0 ? PAGE_BYTES : this.bytes.readUInt16BE(at - POINTER_BYTES);
    const cell = Buffer.from(this.bytes.subarray(this.#content, end));
    this.#content = end;
    return cell;
  }

  /** Writes the header; `bytes` is then a complete page. */
  finish(): void {
    this.bytes.fill(0, HEADER_BYTES + POINTER_BYTES * this.cells, this.#content);
    writePageHeader(this.bytes, this.#kind, this.cells, this.#content);
  }

  clear(): void {
    this.cells = 0;
    this.#content = PAGE_BYTES;
  }
}
