import { BorshReader } from "../borsh/borsh-reader.ts";
import { u32At } from "../bytes/uint-at.ts";

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
}

/** Null when the bytes are no tree account, or are cut short. */
export const findTreeTop = (data: Uint8Array): TreeTop | null => {
  const head = findTreeAccount(data);
  if (head === null) return null;
  const { depthMax: depth, bufferSizeMax, activeIndex, creationSlot } = head;
  const logBytes = NODE_BYTES * (depth + 1) + PLACE_BYTES;
  const rightmostAt = CHANGE_LOGS_AT + bufferSizeMax * logBytes;
  // The right-most proof has as many bytes as a change log: a node for each level, a leaf and an index.
  if (activeIndex >= BigInt(bufferSizeMax) || data.length < rightmostAt + logBytes) return null;
  const rootAt = CHANGE_LOGS_AT + Number(activeIndex) * logBytes;
  return {
    depth,
    merkleRoot: data.subarray(rootAt, rootAt + NODE_BYTES),
    leafCount: u32At(data, rightmostAt + NODE_BYTES * (depth + 1)),
    creationSlot,
  };
};
