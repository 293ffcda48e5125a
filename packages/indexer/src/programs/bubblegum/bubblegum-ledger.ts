// Compressed assets: what Bubblegum's transactions say, proved hash by hash, folded into one state per leaf and tree.

import {
  type CallFault,
  findBubblegumCalls,
  findTreeAccount,
  treePrograms,
  isTreeConfigAddress,
  type LeafChange,
  type LedgerChange,
  programAddresses,
  proveCall,
  sameBytes,
} from "@lamplight/codecs";
import {
  type AddressBytes,
  emptyTreeState,
  type LeafState,
  type LedgerState,
  parseTreeState,
  type Transaction,
  withTreeNews,
  writeTreeState,
} from "@lamplight/core";
import type { LedgerEvent, LedgerRule, ReportProblem } from "../../rules/rules.ts";
import { areInConflict, mergeLeafStates, stateOfChange } from "./merge-leaf-states.ts";
import { ledgerOf, leafStateOf } from "./leaf-states.ts";
import { foldNodes, nodesEvents, type NodesEvent } from "./tree-nodes.ts";

interface LeafEvent extends LedgerEvent {
  readonly kind: "leaf";
  readonly change: LeafChange;
}

interface TreeEvent extends LedgerEvent {
  readonly kind: "tree";
  /** The change of a transaction, or what the tree account counts. */
  readonly seq: number;
  /** Slot of the creation that the account names, or that the change is; null for any other change. */
  readonly createdSlot: number | null;
  readonly isAccount: boolean;
}

const faultReasons: Readonly<Record<CallFault, { readonly kind: string; readonly reason: string }>> = {
  leafMismatch: { kind: "leaf-mismatch", reason: "the announced leaf does not hash to the leaf of the tree" },
  leafMissing: { kind: "leaf-missing", reason: "the new leaf was not announced and could not be rebuilt" },
  changeLogMissing: { kind: "change-log-missing", reason: "the change of the tree was not announced" },
  placeMismatch: { kind: "place-mismatch", reason: "the events are not about the leaf of the instruction" },
  metadataMismatch: { kind: "metadata-mismatch", reason: "the metadata do not match the hash in the leaf" },
  instructionUnknown: { kind: "instruction-unknown", reason: "the instruction cannot be decoded" },
};

export const bubblegumLedger: LedgerRule = {
  name: "bubblegum",
  programs: treePrograms,
  read: (transaction, report) => {
    const events: LedgerEvent[] = [];
    for (const call of findBubblegumCalls(transaction)) {
      const { change, faults } = proveCall(call);
      const about = change?.tree ?? call.changeLogs[0]?.tree ?? programAddresses.bubblegum;
      for (const fault of faults) reportFault(fault, about, transaction, report);
      if (change === null) continue;
      if (change.kind === "leaf") events.push(leafEvent(change, transaction.slot));
      events.push(changeEvent(change, transaction.slot));
    }
    return events;
  },
  readAccount: ({ address, programOwner, data, slot, lamports }) => {
    if (lamports === 0n || !treePrograms.some((owner) => sameBytes(owner, programOwner))) return [];
    const account = findTreeAccount(data);
    // Both compression programs serve anyone: a tree of another authority never holds a leaf of Bubblegum.
    if (account === null || !isTreeConfigAddress(account.authority, address)) return [];
    const { seq, creationSlot: createdSlot } = account;
    return [
      {
        kind: "tree",
        key: address,
        tree: address,
        slot,
        seq,
        createdSlot,
        isAccount: true,
      } satisfies TreeEvent,
    ];
  },
  nodesOf: (event) => (event.kind === "leaf" ? nodesEvents((event as LeafEvent).change, event.slot) : []),
  fold: (known, events, report) => {
    switch (events[0]!.kind) {
      case "tree":
        return foldTree(known, events as readonly TreeEvent[]);
      case "nodes":
        return foldNodes(known, events as readonly NodesEvent[]);
      default:
        return foldLeaf(known, events as readonly LeafEvent[], report);
    }
  },
  collectionsOf: (state) => coreCollectionsOf(state),
};

/** Only the second leaf schema knows collections of Core. */
const coreCollectionsOf = (ledger: LedgerState): readonly AddressBytes[] => {
  if (ledger.kind !== "leaf") return [];
  const { leaf, metadata } = leafStateOf(ledger);
  const collection = metadata?.collection ?? null;
  return (leaf?.v2 ?? null) === null || collection === null ? [] : [collection.address];
};

const reportFault = (
  fault: CallFault,
  address: AddressBytes,
  { signature, slot }: Transaction,
  report: ReportProblem,
): void => {
  const { kind, reason } = faultReasons[fault];
  report({ kind, address, slot, reason: `${reason} (transaction ${signature})` });
};

const leafEvent = (change: LeafChange, slot: number): LeafEvent => ({
  kind: "leaf",
  key: change.assetId,
  tree: change.tree,
  slot,
  change,
});

const changeEvent = ({ kind, tree, seq }: LedgerChange, slot: number): TreeEvent => ({
  kind: "tree",
  key: tree,
  tree,
  slot,
  seq,
  // The only change that touches no leaf is the creation.
  createdSlot: kind === "tree" ? slot : null,
  isAccount: false,
});

const foldTree = (known: LedgerState | null, events: readonly TreeEvent[]): LedgerState => {
  const { key, tree } = events[0] as TreeEvent;
  const state = withTreeNews(known === null ? emptyTreeState : parseTreeState(known.state), {
    createdSlots: events.flatMap(({ createdSlot, isAccount }) => (isAccount ? [] : (createdSlot ?? []))),
    changes: events.filter(({ isAccount }) => !isAccount),
    accounts: events.flatMap(({ seq, createdSlot, isAccount }) =>
      isAccount ? { seq, createdSlot: createdSlot ?? 0 } : [],
    ),
  });
  return { key, kind: "tree", tree, state: writeTreeState(state) };
};

const foldLeaf = (
  known: LedgerState | null,
  events: readonly LeafEvent[],
  report: ReportProblem,
): LedgerState => {
  const { key } = events[0] as LeafEvent;
  let state = known === null ? null : leafStateOf(known);
  for (const { change, slot } of events) {
    const next = stateOfChange(change, slot);
    if (state !== null && areInConflict(state, next)) {
      const reason = `change ${change.seq} of its tree is known with another content`;
      report({ kind: "fork-conflict", address: key, slot, reason });
    }
    state = state === null ? next : mergeLeafStates(state, next);
  }
  return ledgerOf(key, state as LeafState);
};
