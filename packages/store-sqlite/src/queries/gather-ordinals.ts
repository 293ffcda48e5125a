import { turns } from "@lamplight/core";

/** A piece of a list of ordinals, in any order and with repeats. */
export interface OrdinalChunk {
  readonly ordinals: Uint32Array;
  readonly isLast: boolean;
}

/** Ordinals of all pieces, ascending and without repeats, or null when there are more than `limit`. */
export const gatherOrdinals = async (
  read: () => OrdinalChunk,
  limit: number,
): Promise<Uint32Array | null> => {
  const chunks: Uint32Array[] = [];
  let length = 0;
  for (;;) {
    const { ordinals, isLast } = read();
    chunks.push(ordinals);
    length += ordinals.length;
    if (isLast || length > limit) {
      const found = ascending(joined(chunks, length));
      if (found.length > limit) return null;
      if (isLast) return found;
    }
    await turns.next();
  }
};

/** Ordinals in order and without repeats; mostly they already are. */
export const ascending = (ordinals: Uint32Array): Uint32Array => {
  for (let index = 1; index < ordinals.length; index++)
    if (ordinals[index]! <= ordinals[index - 1]!) return distinctOf(ordinals.toSorted());
  return ordinals;
};

/** Decimal numbers between commas, null for none; a loop over characters is several times faster than splitting. */
export const parseOrdinals = (text: string | null, count: number): Uint32Array => {
  const ordinals = new Uint32Array(count);
  if (text === null) return ordinals;
  const COMMA = 44;
  const ZERO = 48;
  let next = 0;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== COMMA) value = value * 10 + (code - ZERO);
    else {
      ordinals[next++] = value;
      value = 0;
    }
  }
  ordinals[next] = value;
  return ordinals;
};

const distinctOf = (sorted: Uint32Array): Uint32Array =>
  sorted.filter((ordinal, index) => index === 0 || ordinal !== sorted[index - 1]);

const joined = (chunks: readonly Uint32Array[], length: number): Uint32Array => {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint32Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
};
