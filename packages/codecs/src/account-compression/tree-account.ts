import { BorshReader } from "../borsh/borsh-reader.ts";
import { u32At } from "../bytes/uint-at.ts";
import { programAddresses, sameBytes } from "../programs/addresses.ts";
import { emptyNode } from "./merkle.ts";

const TREE_ACCOUNT_TYPE = 1;
const HEADER_VERSION1 = 0;
const PADDING_BYTES = 6;
/** The ring of change logs begins here, behind header and counters. */
const CHANGE_LOGS_AT = 80;
const NODE_BYTES = 32;
/** Index and padding behind the nodes of a change log, and of the right-most proof. */
const PLACE_BYTES = 8;

/** The head of a merkle tree account. Its ring of change logs, its right-most proof and its canopy follow. */
export interface TreeAccount {
  readonly bufferSizeMax: number;
  readonly depthMax: number;
  /** Bubblegum trees have the tree config address here. */
  readonly authority: Uint8Array;
  /** No event of this tree is older. */
  readonly creationSlot: number;
  /** Changes so far: what an index that misses nothing has seen. */
  readonly seq: number;
  readonly activeIndex: bigint;
  readonly bufferSize: bigint;
}

/** Null when the bytes are no initialised tree of a known header version (the program owns canopies and batches too). */
export const findTreeAccount = (data: Uint8Array): TreeAccount | null => {
  if (data[0] !== TREE_ACCOUNT_TYPE || data[1] !== HEADER_VERSION1) return null;
  try {
    const reader = new BorshReader("merkle tree account", data, 2);
    const bufferSizeMax = reader.u32();
    const depthMax = reader.u32();
    const authority = reader.key();
    const creationSlot = reader.counter("creation slot");
    reader.bytes(PADDING_BYTES);
    const seq = reader.counter("sequence number");
    return {
      bufferSizeMax,
      depthMax,
      authority,
      creationSlot,
      seq,
      activeIndex: reader.u64(),
      bufferSize: reader.u64(),
    };
  } catch {
    return null;
  }
};

/** A merkle tree account says this of its leaves as they are now. */
export interface TreeTop {
  /** Levels between leaf and root. */
  readonly depth: number;
  readonly merkleRoot: Uint8Array;
  /** Leaves that were ever appended. Every leaf behind them is empty. */
  readonly leafCount: number;
  /** Slot of the creation. */
  readonly creationSlot: number;
  /** Levels below the root whose nodes are in `canopy`; 0 to `depth`. */
  readonly canopyDepth: number;
  readonly canopy: Uint8Array;
  /** Bytes of the data of the account. */
  readonly accountBytes: number;
}

/** The programs that own accounts of trees. Any other program may write the same bytes. */
export const treePrograms: readonly Uint8Array[] = [
  programAddresses.splAccountCompression,
  programAddresses.mplAccountCompression,
];

/** Null when no tree program owns the account, its bytes are no tree, or are cut short. */
export const treeTopOf = ({
  programOwner,
  data,
}: {
  readonly programOwner: Uint8Array;
  readonly data: Uint8Array;
}): TreeTop | null =>
  treePrograms.some((program) => sameBytes(program, programOwner)) ? findTreeTop(data) : null;

/** Null when the bytes are no tree account, are cut short, or count more leaves than the tree has room for. */
export const findTreeTop = (data: Uint8Array): TreeTop | null => {
  const head = findTreeAccount(data);
  if (head === null) return null;
  const { depthMax: depth, bufferSizeMax, activeIndex, creationSlot } = head;
  const logBytes = NODE_BYTES * (depth + 1) + PLACE_BYTES;
  const rightmostAt = CHANGE_LOGS_AT + bufferSizeMax * logBytes;
  // The right-most proof has as many bytes as a change log: a node for each level, a leaf and an index.
  if (activeIndex >= BigInt(bufferSizeMax) || data.length < rightmostAt + logBytes) return null;
  const rootAt = CHANGE_LOGS_AT + Number(activeIndex) * logBytes;
  const canopy = data.subarray(rightmostAt + logBytes);
  const leafCount = u32At(data, rightmostAt + NODE_BYTES * (depth + 1));
  if (leafCount > 2 ** depth) return null;
  return {
    depth,
    merkleRoot: data.subarray(rootAt, rootAt + NODE_BYTES),
    leafCount,
    creationSlot,
    canopyDepth: canopyDepthOf(canopy.length, depth),
    canopy,
    accountBytes: data.length,
  };
};

/** A canopy has 2 nodes of the level below the root, 4 of the next one, and so on. The programs create no tree with another length. */
const canopyDepthOf = (bytes: number, depth: number): number => {
  const levels = Math.log2(bytes / NODE_BYTES + 2) - 1;
  return Number.isInteger(levels) && levels <= depth ? levels : 0;
};

/** Levels whose nodes are not in the canopy; 0 is that of the leaves. */
export const levelsBelowCanopy = ({ depth, canopyDepth }: Pick<TreeTop, "depth" | "canopyDepth">): number =>
  depth - canopyDepth;

/**
 * A node of the canopy. One that was never written is an empty node.
 *
 * @param level - below the root, and not below the canopy; 0 is a leaf
 * @param place - number of the node on its level, from the left
 */
export const canopyNode = (
  { canopy, depth }: Pick<TreeTop, "canopy" | "depth">,
  level: number,
  place: number,
): Uint8Array => {
  const at = (2 ** (depth - level) - 2 + place) * NODE_BYTES;
  const node = canopy.subarray(at, at + NODE_BYTES);
  return node.every((byte) => byte === 0) ? emptyNode(level) : node;
};
