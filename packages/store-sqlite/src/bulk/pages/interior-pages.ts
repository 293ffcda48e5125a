import { PAGE_BYTES } from "../../engine/settings.ts";
import {
  HEADER_BYTES,
  INTERIOR_HEADER_BYTES,
  PAGE_NUMBER_BYTES,
  POINTER_BYTES,
  writePageHeader,
} from "./btree-page.ts";
import type { FilePages } from "./file-pages.ts";

/** A page, with the key that separates it from the next one, as a cell of the parent page contains it. */
interface Child {
  readonly page: number;
  readonly key: Buffer;
}

/** Builds the pages above the leaves of one tree. Leaves come in order. */
export class InteriorPages {
  readonly #pages: FilePages;
  readonly #kind: number;
  /** Children of one page, for keys of any length. */
  readonly #childrenMax: number;
  /** Pages without a parent so far, leaves first. */
  readonly #levels: Child[][] = [];

  constructor(pages: FilePages, kind: number, keyBytesMax: number) {
    this.#pages = pages;
    this.#kind = kind;
    const cellBytesMax = POINTER_BYTES + PAGE_NUMBER_BYTES + keyBytesMax;
    this.#childrenMax = 1 + Math.floor((PAGE_BYTES - INTERIOR_HEADER_BYTES) / cellBytesMax);
  }

  get isEmpty(): boolean {
    return this.#levels.length === 0;
  }

  /** @param key - of the last leaf no use */
  addLeaf(page: number, key: Buffer): void {
    this.#add(0, { page, key });
  }

  /** Writes the remaining pages, and the root. The caller has added at least two leaves. */
  end(rootPage: number): void {
    for (let height = 0; ; height += 1) {
      const children = this.#levels[height] as readonly Child[];
      if (height === this.#levels.length - 1 && children.length <= this.#childrenMax) {
        const root = Buffer.alloc(PAGE_BYTES);
        this.#fill(root, children);
        this.#pages.replace(rootPage, root);
        return;
      }
      for (const part of this.#inParts(children)) this.#add(height + 1, this.#append(part));
    }
  }

  /** Some are kept back for the last pages, because no page may have a single child. */
  #add(height: number, child: Child): void {
    const children = (this.#levels[height] ??= []);
    children.push(child);
    if (children.length === 2 * this.#childrenMax)
      this.#add(height + 1, this.#append(children.splice(0, this.#childrenMax)));
  }

  /** Parts of nearly one size. */
  #inParts(children: readonly Child[]): readonly (readonly Child[])[] {
    const parts = Math.ceil(children.length / this.#childrenMax);
    const start = (part: number): number => Math.floor((part * children.length) / parts);
    return Array.from({ length: parts }, (_, part) => children.slice(start(part), start(part + 1)));
  }

  #append(children: readonly Child[]): Child {
    const { number, bytes } = this.#pages.append();
    bytes.fill(0);
    this.#fill(bytes, children);
    return { page: number, key: (children.at(-1) as Child).key };
  }

  /** Every child but the last has a cell with its key; the last is in the header. */
  #fill(page: Buffer, children: readonly Child[]): void {
    let content = PAGE_BYTES;
    const last = children.length - 1;
    for (const [index, child] of children.slice(0, last).entries()) {
      content -= PAGE_NUMBER_BYTES + child.key.length;
      page.writeUInt32BE(child.page, content);
      child.key.copy(page, content + PAGE_NUMBER_BYTES);
      page.writeUInt16BE(content, INTERIOR_HEADER_BYTES + POINTER_BYTES * index);
    }
    writePageHeader(page, this.#kind, last, content);
    page.writeUInt32BE((children[last] as Child).page, HEADER_BYTES);
  }
}
