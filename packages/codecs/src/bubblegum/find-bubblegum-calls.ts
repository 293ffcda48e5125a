import { type ChangeLog, findChangeLog } from "../account-compression/change-log.ts";
import { programAddresses, sameBytes } from "../programs/addresses.ts";
import { type BubblegumInstruction, decodeBubblegumInstruction } from "./decode-instruction.ts";
import { findLeafEvent, type LeafEvent } from "./leaf-schema.ts";

/** The part of an instruction that every source has. */
interface Instruction {
  readonly programAddress: Uint8Array;
  readonly accounts: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** 1 = called by the transaction itself; null where the source does not say. */
  readonly stackHeight: number | null;
}

/** An instruction of the message and all it called, in order of execution. */
export interface CallGroup {
  readonly outer: Instruction;
  readonly inner: readonly Instruction[];
}

/** One call of the Bubblegum program with the events it left. */
export interface BubblegumCall {
  /** Index of the instruction of the message it happened in. */
  readonly outer: number;
  readonly stackHeight: number | null;
  /** Null when the instruction is unknown or its arguments do not decode; its events count all the same. */
  readonly instruction: BubblegumInstruction | null;
  readonly accounts: readonly Uint8Array[];
  readonly changeLogs: readonly ChangeLog[];
  readonly leafEvents: readonly LeafEvent[];
  /**
   * Whether the events are this call's for certain. Without stack heights, what the calling program does next counts
   * among the children of an inner call too.
   */
  readonly ownsEvents: boolean;
  /** Noop payloads among its children that are neither. */
  readonly foreignNoops: number;
}

/** Every Bubblegum call of a transaction, at any depth, in order of execution. */
export const findBubblegumCalls = (transaction: {
  readonly groups: readonly CallGroup[];
}): readonly BubblegumCall[] => {
  const calls: BubblegumCall[] = [];
  for (const [outer, { outer: top, inner }] of transaction.groups.entries()) {
    if (isBubblegum(top)) calls.push(readCall(top, inner, 0, outer));
    for (let position = 0; position < inner.length; position += 1) {
      const own = inner[position] as Instruction;
      if (isBubblegum(own)) calls.push(readCall(own, inner, position + 1, outer));
    }
  }
  return calls;
};

const isBubblegum = ({ programAddress }: Instruction): boolean =>
  sameBytes(programAddress, programAddresses.bubblegum);

/** Events of both noop programs count for every tree, because each occurs with both leaf schemas. */
const isNoop = ({ programAddress }: Instruction): boolean =>
  sameBytes(programAddress, programAddresses.splNoop) || sameBytes(programAddress, programAddresses.mplNoop);

/** @param start - where in `inner` what follows the call begins */
const readCall = (
  own: Instruction,
  inner: readonly Instruction[],
  start: number,
  outer: number,
): BubblegumCall => {
  const changeLogs: ChangeLog[] = [];
  const leafEvents: LeafEvent[] = [];
  let foreignNoops = 0;
  const end = childrenEnd(own, inner, start);
  for (let position = start; position < end; position += 1) {
    const child = inner[position] as Instruction;
    if (!isNoop(child)) continue;
    const changeLog = findChangeLog(child.data);
    const leafEvent = changeLog === null ? findLeafEvent(child.data) : null;
    if (changeLog !== null) changeLogs.push(changeLog);
    else if (leafEvent !== null) leafEvents.push(leafEvent);
    else foreignNoops += 1;
  }
  const { stackHeight, accounts } = own;
  const ownsEvents = start === 0 || stackHeight !== null;
  const instruction = decode(own, changeLogs);
  return { outer, stackHeight, instruction, accounts, changeLogs, leafEvents, ownsEvents, foreignNoops };
};

/**
 * Where the children of a call end: the following instructions that are deeper. Without stack heights (old history,
 * some back ends) everything up to the next Bubblegum call, since Bubblegum never calls itself.
 */
const childrenEnd = (own: Instruction, inner: readonly Instruction[], start: number): number => {
  let end = start;
  for (; end < inner.length; end += 1) {
    const next = inner[end] as Instruction;
    if (isBubblegum(next)) break;
    if (own.stackHeight !== null && next.stackHeight !== null && next.stackHeight <= own.stackHeight) break;
  }
  return end;
};

const decode = (
  { data, accounts }: Instruction,
  changeLogs: readonly ChangeLog[],
): BubblegumInstruction | null => {
  try {
    return decodeBubblegumInstruction(data, accounts, changeLogs);
  } catch {
    return null;
  }
};
