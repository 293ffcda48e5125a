import type { AddressBytes, Slot } from "./address.ts";

/** One instruction with its accounts looked up; `accounts` may repeat and may come from lookup tables. */
export interface Instruction {
  readonly programAddress: AddressBytes;
  readonly accounts: readonly AddressBytes[];
  readonly data: Uint8Array;
  /** 1 = called by the transaction itself; null where the source does not carry it. */
  readonly stackHeight: number | null;
}

/** An outer instruction and everything it called, in order of execution. */
export interface InstructionGroup {
  readonly outer: Instruction;
  readonly inner: readonly Instruction[];
}

/** One transaction that landed in a block, as far as an index needs it. */
export interface Transaction {
  /** Base58 text of the first signature. */
  readonly signature: string;
  readonly slot: Slot;
  /** Position in its block; null where the source does not carry it. */
  readonly index: number | null;
  /** Failed transactions change nothing but lamports: the index ignores them. */
  readonly failed: boolean;
  readonly groups: readonly InstructionGroup[];
}
