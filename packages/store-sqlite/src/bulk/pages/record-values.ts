// Values of a record: https://www.sqlite.org/fileformat2.html#record_format

/** Blobs have this and two for every byte. */
export const valueTypes = { null: 0, int64: 6, zero: 8, blob: 12 } as const;

/** The shortest type that holds a number of at least zero; zero itself takes no bytes. */
export const intType = (value: number): number => {
  if (value === 0) return valueTypes.zero;
  if (value < 2 ** 7) return 1;
  if (value < 2 ** 15) return 2;
  if (value < 2 ** 31) return value < 2 ** 23 ? 3 : 4;
  return value < 2 ** 47 ? 5 : valueTypes.int64;
};

/** Writes as many bytes as the type of the value has. Returns the offset behind them. */
export const writeInt = (out: Buffer, at: number, value: number): number => {
  if (value === 0) return at;
  if (value < 2 ** 7) {
    out[at] = value;
    return at + 1;
  }
  if (value < 2 ** 15) {
    out[at] = value >>> 8;
    out[at + 1] = value;
    return at + 2;
  }
  if (value < 2 ** 31) {
    let to = at;
    if (value >= 2 ** 23) out[to++] = value >>> 24;
    out[to] = value >>> 16;
    out[to + 1] = value >>> 8;
    out[to + 2] = value;
    return to + 3;
  }
  const bytes = value < 2 ** 47 ? 6 : 8;
  if (bytes === 8) out.writeUInt16BE(Math.floor(value / 2 ** 48), at);
  return out.writeUIntBE(value % 2 ** 48, at + bytes - 6, 6);
};

/** Eight bytes, from two words. */
export const writeInt64 = (out: Buffer, at: number, high: number, low: number): number => {
  out[at] = high >>> 24;
  out[at + 1] = high >>> 16;
  out[at + 2] = high >>> 8;
  out[at + 3] = high;
  out[at + 4] = low >>> 24;
  out[at + 5] = low >>> 16;
  out[at + 6] = low >>> 8;
  out[at + 7] = low;
  return at + 8;
};
