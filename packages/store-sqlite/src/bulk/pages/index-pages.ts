import { brokenInvariant } from "@lamplight/errors";
import { pageKinds } from "./btree-page.ts";
import type { FilePages } from "./file-pages.ts";
import { InteriorPages } from "./interior-pages.ts";
import { LeafPage } from "./leaf-page.ts";
import { VARINT_BYTES_MAX, writeVarint } from "./varint.ts";

/** Builds an index from its records in ascending order, as `TablePages` builds a table. */
export class IndexPages {
  readonly #pages: FilePages;
  readonly #rootPage: number;
  readonly #recordBytesMax: number;
  readonly #leaf = new LeafPage(pageKinds.indexLeaf);
  readonly #interior: InteriorPages;

  /**
   * @param rootPage - of the index, which is empty
   * @param recordBytesMax - short enough that many fit on a page
   */
  constructor(pages: FilePages, rootPage: number, recordBytesMax: number) {
    this.#pages = pages;
    this.#rootPage = rootPage;
    this.#recordBytesMax = recordBytesMax;
    this.#interior = new InteriorPages(pages, pageKinds.indexInterior, VARINT_BYTES_MAX + recordBytesMax);
  }

  /** @param record - in the first `length` bytes */
  add(record: Buffer, length: number): void {
    if (length > this.#recordBytesMax) throw brokenInvariant(`a record has ${length} bytes`);
    const head = length < 128 ? 1 : 2;
    if (!this.#leaf.hasRoom(head + length)) this.#endLeaf();
    const at = this.#leaf.place(head + length);
    writeVarint(this.#leaf.bytes, at, length);
    record.copy(this.#leaf.bytes, at + head, 0, length);
  }

  end(): void {
    if (this.#interior.isEmpty) {
      this.#leaf.finish();
      this.#pages.replace(this.#rootPage, this.#leaf.bytes);
      return;
    }
    this.#appendLeaf(Buffer.alloc(0));
    this.#interior.end(this.#rootPage);
  }

  /** An index holds every record once: the one between two leaves is in the page above. */
  #endLeaf(): void {
    this.#appendLeaf(this.#leaf.takeLast());
  }

  #appendLeaf(key: Buffer): void {
    this.#leaf.finish();
    const { number, bytes } = this.#pages.append();
    this.#leaf.bytes.copy(bytes);
    this.#interior.addLeaf(number, key);
    this.#leaf.clear();
  }
}
