import { u32At } from "../bytes/uint-at.ts";

/** First byte of a noop payload. */
const changeLogTag = 0;
const changeLogVersion = 0;
const treeAt = 2;
const nodeBytes = 32;
/** Behind the tree and the count of nodes. */
const pathAt = treeAt + nodeBytes + 4;
const seqBytes = 8;
const leafIndexBytes = 4;
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
  if (data[0] !== changeLogTag || data[1] !== changeLogVersion || data.length < pathAt) return null;
  const pathLength = u32At(data, treeAt + nodeBytes);
  if (pathLength === 0 || pathLength > pathLengthMax) return null;
  const seqAt = pathAt + pathLength * pathNodeBytes;
  if (data.length !== seqAt + seqBytes + leafIndexBytes) return null;
  const seq = u32At(data, seqAt) + u32At(data, seqAt + 4) * 2 ** 32;
  const leafIndex = u32At(data, seqAt + seqBytes);
  const depth = pathLength - 1;
  if (seq > Number.MAX_SAFE_INTEGER || !leadsTo(leafIndex, depth, data)) return null;
  const nodeOf = (level: number): Uint8Array => {
    const at = pathAt + level * pathNodeBytes;
    return data.subarray(at, at + nodeBytes);
  };
  return {
    tree: data.subarray(treeAt, treeAt + nodeBytes),
    seq,
    leafIndex,
    depth,
    leaf: nodeOf(0),
    merkleRoot: nodeOf(depth),
  };
};

/** Node index = 2^(depth - level) + (leaf index >> level); level 0 is the leaf, the root is 1. */
const leadsTo = (leafIndex: number, depth: number, data: Uint8Array): boolean => {
  let place = 2 ** depth + leafIndex;
  for (let level = 0; level <= depth; level += 1) {
    if (u32At(data, pathAt + level * pathNodeBytes + nodeBytes) !== place) return false;
    place = Math.floor(place / 2);
  }
  return true;
};
