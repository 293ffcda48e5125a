import { encodeBase58, instructionShapes, keccak256, programAddresses } from "@lamplight/codecs";
import type { AddressBytes, Instruction, Slot, Transaction } from "@lamplight/core";
import { noop } from "./bubblegum-payloads.ts";

/** One change of a tree. */
export interface TreeStep {
  readonly tree: AddressBytes;
  readonly seq: number;
  readonly slot: Slot;
  /** Name of the instruction. */
  readonly name: string;
  readonly accounts: readonly AddressBytes[];
  /** The arguments of the instruction. */
  readonly reported: Uint8Array;
  /** Payloads that programs publish through the noop program. */
  readonly published: readonly Uint8Array[];
}

/** The transaction of a step as a node reports it. */
export const transactionOf = ({
  tree,
  seq,
  slot,
  name,
  accounts,
  reported,
  published,
}: TreeStep): Transaction => {
  const tag = Buffer.from(instructionShapes.find((shape) => shape.name === name)?.tag ?? "", "hex");
  const outer: Instruction = {
    programAddress: programAddresses.bubblegum,
    accounts,
    data: Buffer.concat([tag, reported]),
    stackHeight: 1,
  };
  const half = keccak256(tree, Uint8Array.of(seq & 255, seq >> 8, ...(seq < 65_536 ? [] : [seq >> 16])));
  const signature = encodeBase58(Buffer.concat([half, half]));
  return { signature, slot, index: null, failed: false, groups: [{ outer, inner: published.map(noop) }] };
};
