import { type ChangeLog, findChangeLog } from "../account-compression/change-log.ts";
import { programAddresses, sameBytes } from "../programs/addresses.ts";
import { type BubblegumInstruction, decodeBubblegumInstruction } from "./decode-instruction.ts";
import { findLeafEvent, type LeafEvent } from "./leaf-schema.ts";

/** An instruction as transactions carry it, whatever else the source knows. */
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
  /** Noop payloads among its children that are neither. */
  readonly foreignNoops: number;
}

/** Every Bubblegum call of a transaction, at any depth, in order of execution. */
export const findBubblegumCalls = (transaction: {
  readonly groups: readonly CallGroup[];
}): readonly BubblegumCall[] =>
  transaction.groups.flatMap(({ outer: top, inner }, outer) => {
    const flat = [top, ...inner];
    return flat.flatMap((instruction, position) =>
      isBubblegum(instruction) ? [readCall(flat, position, outer)] : [],
    );
  });

const isBubblegum = ({ programAddress }: Instruction): boolean =>
  sameBytes(programAddress, programAddresses.bubblegum);

/** Events are taken from both noop programs, whatever the tree: both pairs occur with both leaf schemas. */
const isNoop = ({ programAddress }: Instruction): boolean =>
  sameBytes(programAddress, programAddresses.splNoop) || sameBytes(programAddress, programAddresses.mplNoop);

const readCall = (group: readonly Instruction[], position: number, outer: number): BubblegumCall => {
  const own = group[position] as Instruction;
  const changeLogs: ChangeLog[] = [];
  const leafEvents: LeafEvent[] = [];
  let foreignNoops = 0;
  for (const child of childrenOf(group, position)) {
    if (!isNoop(child)) continue;
    const changeLog = findChangeLog(child.data);
    const leafEvent = changeLog === null ? findLeafEvent(child.data) : null;
    if (changeLog !== null) changeLogs.push(changeLog);
    else if (leafEvent !== null) leafEvents.push(leafEvent);
    else foreignNoops += 1;
  }
  const { stackHeight, accounts } = own;
  return { outer, stackHeight, instruction: decode(own), accounts, changeLogs, leafEvents, foreignNoops };
};

/**
 * What the instruction at `position` called: the following instructions that are deeper. Without stack heights (old
 * history, some back ends) everything up to the next Bubblegum call, since Bubblegum never calls itself.
 */
const childrenOf = (group: readonly Instruction[], position: number): readonly Instruction[] => {
  const own = group[position]?.stackHeight ?? null;
  let end = position + 1;
  for (; end < group.length; end += 1) {
    const next = group[end] as Instruction;
    if (isBubblegum(next)) break;
    if (own !== null && next.stackHeight !== null && next.stackHeight <= own) break;
  }
  return group.slice(position + 1, end);
};

const decode = ({ data, accounts }: Instruction): BubblegumInstruction | null => {
  try {
    return decodeBubblegumInstruction(data, accounts);
  } catch {
    return null;
  }
};
