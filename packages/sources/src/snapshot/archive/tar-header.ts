import { damaged } from "./archive-fault.ts";

/** A tar consists of blocks of this size; a header is one. */
export const BLOCK_BYTES = 512;
export const zeros: Buffer = Buffer.alloc(65_536);

/** @throws LamplightError where the header was damaged */
export const assertChecksum = (header: Buffer): void => {
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK_BYTES; at += 1) if (at < 148 || at >= 156) sum += header[at] as number;
  if (sum !== numberAt(header, 148, 8)) throw damaged("the checksum of a tar header does not match");
};

/** Octal text, or a big-endian number when the first bit is set. */
export const numberAt = (block: Buffer, at: number, length: number): number => {
  if (((block[at] as number) & 0x80) !== 0) {
    let value = (block[at] as number) & 0x7f;
    for (let index = at + 1; index < at + length; index += 1) {
      value = value * 256 + (block[index] as number);
      if (value > Number.MAX_SAFE_INTEGER) throw damaged("a number of a tar header is too large");
    }
    return value;
  }
  const text = textOf(block.subarray(at, at + length)).trim();
  if (!/^[0-7]*$/.test(text))
    throw damaged(`a tar header has ${JSON.stringify(text)} where a number belongs`);
  return text === "" ? 0 : Number.parseInt(text, 8);
};

/** One character: what kind of entry it is. */
export const typeOf = (header: Buffer): string => String.fromCharCode(header[156] ?? 0);

/** The path of the entry, as far as the header has room for it. */
export const nameOf = (header: Buffer): string => {
  const name = textOf(header.subarray(0, 100));
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
};

/** Latin-1 text up to its zero byte. */
export const textOf = (bytes: Buffer): string => {
  const end = bytes.indexOf(0);
  return bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
};
