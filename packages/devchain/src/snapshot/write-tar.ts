const BLOCK_BYTES = 512;

export interface TarFile {
  readonly name: string;
  readonly content: Buffer;
  /** Default: a plain file as newer archives have it; `folder` has no content. */
  readonly type?: "0" | "\0" | "5" | "L" | "2" | "x" | "g";
  /** Writes the size as a binary number. */
  readonly isBinarySize?: boolean;
}

/** One entry with its padding. */
export const tarEntry = ({ name, content, type = "\0", isBinarySize = false }: TarFile): Buffer => {
  const header = Buffer.alloc(BLOCK_BYTES);
  header.write(name, 0, 100, "latin1");
  header.write("0000644\0", 100);
  if (isBinarySize) {
    header[124] = 0x80;
    header.writeUIntBE(content.length, 130, 6);
  } else header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write(type, 156, "latin1");
  header.write("ustar  \0", 257);
  signHeader(header);
  return Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
};

/** Puts the checksum of a header in its place. */
export const signHeader = (header: Buffer): void => {
  header.write("        ", 148);
  let sum = 0;
  for (const byte of header.subarray(0, BLOCK_BYTES)) sum += byte;
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
};

const paddingOf = (length: number): number => (BLOCK_BYTES - (length % BLOCK_BYTES)) % BLOCK_BYTES;

export const tarEnd: Buffer = Buffer.alloc(2 * BLOCK_BYTES);
