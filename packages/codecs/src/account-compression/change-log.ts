import { u32At } from "../bytes/uint-at.ts";

/** First byte of a noop payload. */
const CHANGE_LOG_TAG = 0;
const CHANGE_LOG_VERSION = 0;
const TREE_AT = 2;
const NODE_BYTES = 32;
/** Behind the tree and the count of nodes. */
const PATH_AT = TREE_AT + NODE_BYTES + 4;
const SEQ_BYTES = 8;
const LEAF_INDEX_BYTES = 4;
/** A node and its place. */
const PATH_NODE_BYTES = NODE_BYTES + 4;
/** The compression programs allow trees of depth 3 to 30. */
const PATH_LENGTH_MAX = 31;

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
  /** Nodes from leaf to root, each with its place behind it; see `pathNode`. */
  readonly path: Uint8Array;
}

/**
 * A node of the path of a change log: 32 bytes.
 *
 * @param level - 0 is the leaf, `depth` the root
 */
export const pathNode = ({ path }: Pick<ChangeLog, "path">, level: number): Uint8Array =>
  path.subarray(level * PATH_NODE_BYTES, level * PATH_NODE_BYTES + NODE_BYTES);

/**
 * Decodes a noop payload as a change log; null when it is something else (another kind of event, foreign data, cut
 * short). The path must be consistent with the leaf index, so that foreign bytes do not pass by accident.
 */
export const findChangeLog = (data: Uint8Array): ChangeLog | null => {
  if (data[0] !== CHANGE_LOG_TAG || data[1] !== CHANGE_LOG_VERSION || data.length < PATH_AT) return null;
  const pathLength = u32At(data, TREE_AT + NODE_BYTES);
  if (pathLength === 0 || pathLength > PATH_LENGTH_MAX) return null;
  const seqAt = PATH_AT + pathLength * PATH_NODE_BYTES;
  if (data.length !== seqAt + SEQ_BYTES + LEAF_INDEX_BYTES) return null;
  const seq = u32At(data, seqAt) + u32At(data, seqAt + 4) * 2 ** 32;
  const leafIndex = u32At(data, seqAt + SEQ_BYTES);
  const depth = pathLength - 1;
  if (seq > Number.MAX_SAFE_INTEGER || !leadsTo(leafIndex, depth, data)) return null;
  const path = data.subarray(PATH_AT, seqAt);
  return {
    tree: data.subarray(TREE_AT, TREE_AT + NODE_BYTES),
    seq,
    leafIndex,
    depth,
    leaf: pathNode({ path }, 0),
    merkleRoot: pathNode({ path }, depth),
    path,
  };
};

/** Node index = 2^(depth - level) + (leaf index >> level); level 0 is the leaf, the root is 1. */
const leadsTo = (leafIndex: number, depth: number, data: Uint8Array): boolean => {
  let place = 2 ** depth + leafIndex;
  for (let level = 0; level <= depth; level += 1) {
    if (u32At(data, PATH_AT + level * PATH_NODE_BYTES + NODE_BYTES) !== place) return false;
    place = Math.floor(place / 2);
  }
  return true;
};
