import { BorshReader } from "../borsh/borsh-reader.ts";

const TREE_ACCOUNT_TYPE = 1;
const HEADER_VERSION1 = 0;
const PADDING_BYTES = 6;

/** The head of a merkle tree account; change logs, right-most proof and canopy follow and are not needed here. */
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
