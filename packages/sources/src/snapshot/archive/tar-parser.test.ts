import { signHeader, tarEnd, tarEntry } from "@lamplight/devchain";
import { describe, expect, test } from "vitest";
import { readArchive } from "./read-archive.ts";
import { TarParser } from "./tar-parser.ts";

interface Read {
  readonly name: string;
  readonly kind: string;
  readonly size: number;
  content: string;
}

const read = (bytes: Buffer, piece: number): Read[] => {
  const entries: Read[] = [];
  const parser = new TarParser(({ name, kind, size }) => {
    const entry = { name, kind, size, content: "" };
    entries.push(entry);
    return {
      write: (chunk) => {
        entry.content += chunk.toString("latin1");
      },
      end: () => {
        entry.content += "|";
      },
    };
  });
  for (let at = 0; at < bytes.length; at += piece) {
    for (const step of parser.write(bytes.subarray(at, at + piece))) void step;
  }
  parser.end();
  return entries;
};

const octal = (header: Buffer, at: number, value: number): void => {
  header.write(`${value.toString(8).padStart(11, "0")}\0`, at);
};

/** An old GNU sparse file: pieces in the header, and, from the fifth on, in a block of their own. */
const sparseEntry = (name: string, size: number, pieces: readonly (readonly [number, string])[]): Buffer => {
  const stored = pieces.map(([, text]) => text).join("");
  const entry = tarEntry({ name, content: Buffer.from(stored) });
  const header = entry.subarray(0, 512);
  header.write("S", 156);
  octal(header, 483, size);
  const extension = Buffer.alloc(512);
  for (const [index, [offset, text]] of pieces.entries()) {
    const [block, at] = index < 4 ? [header, 386 + 24 * index] : [extension, 24 * (index - 4)];
    octal(block, at, offset);
    octal(block, at + 12, text.length);
  }
  if (pieces.length > 4) header[482] = 1;
  signHeader(header);
  return pieces.length > 4 ? Buffer.concat([header, extension, entry.subarray(512)]) : entry;
};

/** A PAX header of these keys; the length of a record counts its own digits. */
const paxHeader = (type: "x" | "g", records: Readonly<Record<string, string>>): Buffer => {
  const texts = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = rest.length;
    while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
    return `${length}${rest}`;
  });
  return tarEntry({ name: "PaxHeaders/x", content: Buffer.from(texts.join("")), type });
};

const gap = (count: number): string => "\0".repeat(count);

describe("TarParser", () => {
  const long = `accounts/${"1".repeat(120)}`;
  const archive = Buffer.concat([
    tarEntry({ name: "a/", content: Buffer.alloc(0), type: "5" }),
    tarEntry({ name: "empty", content: Buffer.alloc(0) }),
    tarEntry({ name: "plain", content: Buffer.from("hello"), type: "0" }),
    tarEntry({ name: "binary", content: Buffer.from("size".repeat(200)), isBinarySize: true }),
    tarEntry({ name: "././@LongLink", content: Buffer.from(`${long}\0`), type: "L" }),
    tarEntry({ name: "cut off", content: Buffer.from("long") }),
    sparseEntry("gaps", 20, [
      [2, "ab"],
      [10, "cd"],
    ]),
    sparseEntry("many gaps", 30, [
      [0, "a"],
      [2, "b"],
      [4, "c"],
      [6, "d"],
      [8, "e"],
      [30, ""],
    ]),
    tarEntry({ name: "last", content: Buffer.from("end") }),
    tarEnd,
    Buffer.alloc(8192),
  ]);

  test.each([1, 7, 511, 512, 513, 100_000])("reads every kind of entry in pieces of %i bytes", (piece) => {
    expect(read(archive, piece)).toEqual([
      { name: "a/", kind: "folder", size: 0, content: "|" },
      { name: "empty", kind: "file", size: 0, content: "|" },
      { name: "plain", kind: "file", size: 5, content: "hello|" },
      { name: "binary", kind: "file", size: 800, content: `${"size".repeat(200)}|` },
      { name: long, kind: "file", size: 4, content: "long|" },
      { name: "gaps", kind: "file", size: 20, content: `${gap(2)}ab${gap(6)}cd${gap(8)}|` },
      { name: "many gaps", kind: "file", size: 30, content: `a\0b\0c\0d\0e${gap(21)}|` },
      { name: "last", kind: "file", size: 3, content: "end|" },
    ]);
  });

  test("needs an end, and nothing but zeros behind it", () => {
    const entry = tarEntry({ name: "x", content: Buffer.from("y") });
    expect(() => read(entry, 512)).toThrow("no end");
    expect(() => read(Buffer.concat([entry, Buffer.alloc(512)]), 512)).toThrow("no end");
    expect(() => read(Buffer.concat([entry, Buffer.alloc(512), entry, tarEnd]), 512)).toThrow(
      "after its end",
    );
    const whole = Buffer.concat([entry, tarEnd]);
    expect(read(Buffer.concat([whole, Buffer.alloc(100)]), 512)).toHaveLength(1);
    for (const bytes of [1, 511, 513]) {
      const garbage = Buffer.concat([whole, Buffer.alloc(bytes, "x")]);
      expect(() => read(garbage, 512), `${bytes} bytes`).toThrow(/after its end|header/u);
    }
  });

  test.each([1, 511, 100_000])("passes over PAX headers but for name and size, in pieces of %i", (piece) => {
    const plain = tarEntry({ name: "cut off", content: Buffer.from("hello") });
    // The field of the header cannot say it.
    octal(plain, 124, 0);
    signHeader(plain);
    const packed = Buffer.concat([
      paxHeader("g", { comment: "packed anew" }),
      paxHeader("x", { mtime: "1.5", path: long, size: "5", "SCHILY.xattr.user.x": "a=b\n12 c=d" }),
      plain,
      paxHeader("x", { atime: "7" }),
      tarEntry({ name: "last", content: Buffer.from("end") }),
      tarEnd,
    ]);
    expect(read(packed, piece)).toEqual([
      { name: long, kind: "file", size: 5, content: "hello|" },
      { name: "last", kind: "file", size: 3, content: "end|" },
    ]);
  });

  test.each([
    ["another length", "99 path=x\n", "length"],
    ["no length", "path=x\n", "length"],
    ["a length of nothing", "0 path=x\n", "length"],
    ["no end", "9 path=xy", "length"],
    ["no key", "6 =ab\n", "length"],
    ["no number", "10 size=x\n", "size"],
    ["a number too large", "25 size=9999999999999999\n", "size"],
    ["a sparse map", "22 GNU.sparse.major=1\n", "sparse"],
  ])("refuses a PAX header with %s", (_, text, reason) => {
    const header = tarEntry({ name: "PaxHeaders/x", content: Buffer.from(text), type: "x" });
    const entry = tarEntry({ name: "x", content: Buffer.from("y") });
    expect(() => read(Buffer.concat([header, entry, tarEnd]), 512)).toThrow(reason);
  });

  test("refuses PAX headers that are too large, or name every entry", () => {
    const large = paxHeader("x", { comment: "x".repeat(1024 * 1024) });
    expect(() => read(Buffer.concat([large, tarEnd]), 512)).toThrow("PAX header of 10485");
    const longest = paxHeader("x", { path: "x".repeat(1025) });
    expect(() => read(Buffer.concat([longest, tarEnd]), 512)).toThrow("a name of 1025 bytes");
    const all = paxHeader("g", { path: "x" });
    expect(() => read(Buffer.concat([all, tarEnd]), 512)).toThrow("every entry");
  });

  test("refuses sparse pieces that do not add up or overlap", () => {
    const overlapping = sparseEntry("x", 20, [
      [5, "abc"],
      [6, "de"],
    ]);
    expect(() => read(Buffer.concat([overlapping, tarEnd]), 512)).toThrow("outside");
    const outside = sparseEntry("x", 4, [[5, "abc"]]);
    expect(() => read(Buffer.concat([outside, tarEnd]), 512)).toThrow("outside");
  });
});

test("a signal ends the reading of a gap of 60 TiB", async () => {
  const header = tarEntry({ name: "snapshots/status_cache", content: Buffer.alloc(0) }).subarray(0, 512);
  header.write("S", 156);
  header.fill(0, 483, 495);
  header[483] = 0x80;
  header.writeUIntBE(60 * 1024 ** 4, 489, 6);
  signHeader(header);
  const controller = new AbortController();
  const source = {
    place: "gap.tar",
    name: { kind: "unnamed", slot: null, baseSlot: null, hash: null, compression: "none" },
    identity: "",
    sizeBytes: null,
    async *read() {
      yield Buffer.concat([header, tarEnd]);
    },
  } as const;
  const reading = readArchive(
    source,
    { onManifest: () => {}, openStorage: () => null, onProgress: () => {} },
    controller.signal,
  );
  // A turn of the event loop that a gap written at once would not leave.
  setImmediate(() => controller.abort(new Error("stop")));
  await expect(reading).rejects.toThrow("stop");
});
