import { BorshReader } from "../borsh/borsh-reader.ts";

/** First byte of a noop payload. */
const changeLogTag = 0;
const changeLogVersion = 0;
const countBytes = 4;
const nodeBytes = 32;
/** A node and its place. */
const pathNodeBytes = nodeBytes + 4;
/** The compression programs allow trees of depth 3 to 30. */
const pathLengthMax = 31;

/** One change of one tree, as the compression program reports it. */
export interface ChangeLog {
  readonly tree: Uint8Array;
  /** Change counter of the tree; 0 is its creation. */
  readonly seq: number;
  readonly leafIndex: number;
  /** Levels between leaf and root. */
  readonly depth: number;
  /** New leaf; 32 zero bytes = empty. */
  readonly leaf: Uint8Array;
  readonly merkleRoot: Uint8Array;
}

/**
 * Decodes a noop payload as a change log; null when it is something else (another kind of event, foreign data, cut
 * short). The path must be consistent with the leaf index, so that foreign bytes do not pass by accident.
 */
export const findChangeLog = (data: Uint8Array): ChangeLog | null => {
  if (data[0] !== changeLogTag || data[1] !== changeLogVersion) return null;
  try {
    return readChangeLog(new BorshReader("change log", data, 2), data);
  } catch {
    return null;
  }
};

const readChangeLog = (reader: BorshReader, data: Uint8Array): ChangeLog => {
  const tree = reader.key();
  const pathAt = reader.offset + countBytes;
  // Of the nodes between leaf and root only the places matter.
  const places = reader.list(pathNodeBytes, () => {
    reader.skip(nodeBytes);
    return reader.u32();
  });
  const seq = reader.counter("sequence number");
  const leafIndex = reader.u32();
  reader.end();
  if (places.length === 0 || places.length > pathLengthMax) return reader.fail("path length");
  const depth = places.length - 1;
  // Node index = 2^(depth - level) + (leaf index >> level); level 0 is the leaf, the root is 1.
  const isPlaced = places.every(
    (index, level) => index === 2 ** (depth - level) + Math.floor(leafIndex / 2 ** level),
  );
  if (!isPlaced) return reader.fail("path does not lead to the leaf");
  const nodeOf = (level: number): Uint8Array => {
    const at = pathAt + level * pathNodeBytes;
    return data.subarray(at, at + nodeBytes);
  };
  return { tree, seq, leafIndex, depth, leaf: nodeOf(0), merkleRoot: nodeOf(depth) };
};
