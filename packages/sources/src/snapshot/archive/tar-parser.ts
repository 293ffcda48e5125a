import {
  ARCHIVE_BYTES_MAX,
  ARCHIVE_ENTRIES_MAX,
  ENTRY_NAME_BYTES_MAX,
  PAX_HEADER_BYTES_MAX,
  SPARSE_PIECES_MAX,
} from "../snapshot-limits.ts";
import { damaged, refused } from "./archive-fault.ts";
import type { EntryConsumer, Steps } from "./entry-consumer.ts";
import { type PaxHeader, parsePaxHeader } from "./pax-header.ts";
import { expandSparse, type SparseConsumer, type SparsePiece } from "./sparse-entry.ts";
import { assertChecksum, BLOCK_BYTES, nameOf, numberAt, textOf, typeOf, zeros } from "./tar-header.ts";

export interface TarEntry {
  readonly name: string;
  readonly kind: "file" | "folder";
  /** Bytes of the content, gaps included. */
  readonly size: number;
}

/**
 * Parses a tar in chunks. Supports what validators write: plain files, folders, GNU long names, base-256 sizes and
 * old GNU sparse files. It also supports the PAX headers of tools that repacked them. Anything else is refused.
 */
export class TarParser {
  readonly #open: (entry: TarEntry) => EntryConsumer;
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #blockFill = 0;
  #state: "header" | "sparse" | "content" | "ended" = "header";
  #zeroBlocks = 0;
  #entries = 0;
  #totalBytes = 0;
  #longName: string | null = null;
  /** Replaces the size in the header of the next file or folder. */
  #paxSize: number | null = null;
  #entry: TarEntry | null = null;
  #consumer: EntryConsumer | null = null;
  /** A sparse entry has this consumer in place of the other one. */
  #sparse: SparseConsumer | null = null;
  #contentLeft = 0;
  #paddingLeft = 0;
  #pieces: SparsePiece[] = [];

  constructor(open: (entry: TarEntry) => EntryConsumer) {
    this.#open = open;
  }

  /** Name of the entry that is being read, for errors. */
  get current(): string | null {
    return this.#entry?.name ?? null;
  }

  /** The chunk has been read when all steps are done. */
  *write(chunk: Buffer): Steps {
    let at = 0;
    while (at < chunk.length) {
      const isContent = this.#state === "content";
      if (isContent && this.#sparse !== null) yield* this.#takeSparse(this.#sparse, chunk, at);
      at = isContent ? this.#takeContent(chunk, at) : this.#takeBlock(chunk, at);
      // A sparse entry of which nothing is stored has no content to wait for.
      if (this.#sparse !== null && this.#state === "header") yield* this.#endSparse(this.#sparse);
    }
  }

  *#takeSparse(sparse: SparseConsumer, chunk: Buffer, at: number): Steps {
    const bytes = Math.min(this.#contentLeft, chunk.length - at);
    yield* sparse.write(chunk.subarray(at, at + bytes));
    if (bytes === this.#contentLeft) yield* this.#endSparse(sparse);
  }

  *#endSparse(sparse: SparseConsumer): Steps {
    this.#sparse = null;
    yield* sparse.end();
    this.#entry = null;
  }

  /** @throws ArchiveFault when the end marker has not been seen */
  end(): void {
    if (this.#state !== "ended") throw damaged("the tar has no end: it is cut off");
    const rest = this.#block.subarray(0, this.#blockFill);
    if (!rest.equals(zeros.subarray(0, rest.length))) throw damaged("the tar has data after its end");
  }

  #takeContent(chunk: Buffer, at: number): number {
    let from = at;
    if (this.#contentLeft > 0) {
      const bytes = Math.min(this.#contentLeft, chunk.length - from);
      this.#consumer?.write(bytes === chunk.length ? chunk : chunk.subarray(from, from + bytes));
      this.#contentLeft -= bytes;
      from += bytes;
      if (this.#contentLeft === 0) this.#closeEntry();
    }
    const padding = Math.min(this.#paddingLeft, chunk.length - from);
    this.#paddingLeft -= padding;
    if (this.#contentLeft === 0 && this.#paddingLeft === 0) this.#state = "header";
    return from + padding;
  }

  #takeBlock(chunk: Buffer, at: number): number {
    const bytes = chunk.copy(this.#block, this.#blockFill, at, at + BLOCK_BYTES - this.#blockFill);
    this.#blockFill += bytes;
    if (this.#blockFill === BLOCK_BYTES) {
      this.#blockFill = 0;
      if (this.#state === "sparse") this.#readSparseBlock();
      else this.#readHeader();
    }
    return at + bytes;
  }

  #readHeader(): void {
    const header = this.#block;
    if (header.equals(zeros.subarray(0, BLOCK_BYTES))) {
      this.#zeroBlocks += 1;
      if (this.#zeroBlocks >= 2) this.#state = "ended";
      return;
    }
    if (this.#zeroBlocks > 0) throw damaged("the tar has data after its end");
    assertChecksum(header);
    this.#entries += 1;
    if (this.#entries > ARCHIVE_ENTRIES_MAX) throw refused(`it has more than ${ARCHIVE_ENTRIES_MAX} entries`);
    const size = this.#takeSize(header);
    this.#totalBytes += size;
    if (this.#totalBytes > ARCHIVE_BYTES_MAX) throw refused(`it is larger than ${ARCHIVE_BYTES_MAX} bytes`);
    this.#contentLeft = size;
    this.#paddingLeft = (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
    this.#openByType(header, size);
    if (this.#state === "header") this.#startContent();
  }

  #openByType(header: Buffer, size: number): void {
    const type = typeOf(header);
    switch (type) {
      case "0":
      case "\0":
        return this.#openEntry({ name: this.#takeName(header), kind: "file", size });
      case "5":
        if (size > 0) throw damaged("a folder of the tar has content");
        return this.#openEntry({ name: this.#takeName(header), kind: "folder", size });
      case "L":
        return this.#openLongName(size);
      case "x":
        return this.#openPaxHeader(size, (pax) => {
          this.#longName = pax.path ?? this.#longName;
          this.#paxSize = pax.size;
        });
      case "g":
        return this.#openPaxHeader(size, ({ path, size: sizeOfAll }) => {
          if (path !== null || sizeOfAll !== null)
            throw refused("it has a PAX header that gives every entry the same name or size");
        });
      case "S":
        return this.#openSparse(header);
      default:
        throw refused(
          `entry ${JSON.stringify(nameOf(header))} of type ${JSON.stringify(type)}: only files and folders are read`,
        );
    }
  }

  #takeName(header: Buffer): string {
    const name = this.#longName ?? nameOf(header);
    this.#longName = null;
    return name;
  }

  #takeSize(header: Buffer): number {
    // Headers that describe the next entry have sizes of their own.
    const size = "xgL".includes(typeOf(header)) ? null : this.#paxSize;
    if (size !== null) this.#paxSize = null;
    return size ?? numberAt(header, 124, 12);
  }

  #openEntry(entry: TarEntry): void {
    this.#entry = entry;
    this.#consumer = this.#open(entry);
  }

  #startContent(): void {
    if (this.#contentLeft === 0) this.#closeEntry();
    this.#state = this.#contentLeft + this.#paddingLeft === 0 ? "header" : "content";
  }

  #closeEntry(): void {
    // A sparse entry is closed in steps.
    if (this.#sparse !== null) return;
    this.#consumer?.end();
    this.#consumer = null;
    this.#entry = null;
  }

  #openLongName(size: number): void {
    if (size > ENTRY_NAME_BYTES_MAX) throw refused(`it has a name of ${size} bytes`);
    this.#consumer = gather((content) => {
      this.#longName = textOf(content);
    });
  }

  #openPaxHeader(size: number, take: (pax: PaxHeader) => void): void {
    if (size > PAX_HEADER_BYTES_MAX) throw refused(`it has a PAX header of ${size} bytes`);
    this.#consumer = gather((content) => take(parsePaxHeader(content)));
  }

  /** Old GNU form: the map of stored pieces starts in the header and may continue in separate blocks. */
  #openSparse(header: Buffer): void {
    this.#pieces = [];
    const name = this.#takeName(header);
    this.#entry = { name, kind: "file", size: numberAt(header, 483, 12) };
    this.#readPieces(386, 4);
    if (header[482] === 1) this.#state = "sparse";
    else this.#finishSparse();
  }

  #readSparseBlock(): void {
    this.#readPieces(0, 21);
    if (this.#block[504] === 1) return;
    this.#finishSparse();
    this.#startContent();
  }

  #readPieces(at: number, count: number): void {
    for (let index = 0; index < count; index += 1) {
      const place = at + 24 * index;
      if (this.#block[place] === 0) return;
      this.#pieces.push({
        offset: numberAt(this.#block, place, 12),
        bytes: numberAt(this.#block, place + 12, 12),
      });
      if (this.#pieces.length > SPARSE_PIECES_MAX)
        throw refused(`it has an entry of more than ${SPARSE_PIECES_MAX} pieces`);
    }
  }

  #finishSparse(): void {
    const entry = this.#entry as TarEntry;
    const stored = this.#pieces.reduce((sum, { bytes }) => sum + bytes, 0);
    if (stored !== this.#contentLeft)
      throw damaged("the pieces of a sparse entry are not as long as its content");
    this.#totalBytes += entry.size - stored;
    if (this.#totalBytes > ARCHIVE_BYTES_MAX) throw refused(`it is larger than ${ARCHIVE_BYTES_MAX} bytes`);
    this.#sparse = expandSparse(this.#open(entry), this.#pieces, entry.size);
    this.#state = "header";
  }
}

/** Passes the content on in one piece once it is complete. */
const gather = (take: (content: Buffer) => void): EntryConsumer => {
  const parts: Buffer[] = [];
  return {
    write: (bytes) => {
      parts.push(Buffer.from(bytes));
    },
    end: () => take(Buffer.concat(parts)),
  };
};
