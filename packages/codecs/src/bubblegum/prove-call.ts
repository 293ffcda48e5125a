import type { ChangeLog } from "../account-compression/change-log.ts";
import { sameBytes } from "../programs/addresses.ts";
import { deriveAssetId } from "./asset-id.ts";
import type { BubblegumInstruction } from "./decode-instruction.ts";
import type { BubblegumCall } from "./find-bubblegum-calls.ts";
import { hashCollection, hashCreators, hashLeaf, hashMetadata } from "./hashes.ts";
import type { Leaf } from "./leaf-schema.ts";
import type { LeafMetadata } from "./metadata-args.ts";
import { nextMetadata } from "./next-metadata.ts";
import { rebuildLeaf } from "./rebuild-leaf.ts";

/** One proved change of one leaf. */
export interface LeafChange {
  readonly kind: "leaf";
  readonly tree: Uint8Array;
  /** Change counter of the tree. */
  readonly seq: number;
  readonly assetId: Uint8Array;
  readonly nonce: number;
  /** Config account of the tree, by which its assets are governed; null when the instruction is unknown. */
  readonly treeConfig: Uint8Array | null;
  /** `empty` leaves have no schema: the asset is burnt, or on its way out of the tree. */
  readonly outcome:
    | { readonly kind: "leaf"; readonly leaf: Leaf; readonly leafHash: Uint8Array }
    | { readonly kind: "burnt" }
    | { readonly kind: "redeemed" };
  /** Metadata that hashes to what the new leaf says; null when the instruction carries none or it could not be proved. */
  readonly metadata: LeafMetadata | null;
  /** The change of the tree, with the nodes above the leaf. */
  readonly changeLog: ChangeLog;
}

/** A change of a tree that touches no asset: its creation. */
export interface TreeChange {
  readonly kind: "tree";
  readonly tree: Uint8Array;
  readonly seq: number;
}

export type LedgerChange = LeafChange | TreeChange;

export const callFaults = [
  /** The announced leaf does not hash to the leaf of the change log. */
  "leafMismatch",
  /** No leaf event, and none could be rebuilt. */
  "leafMissing",
  /** A leaf event without a change log: no sequence number. */
  "changeLogMissing",
  /** Tree or position in the events is not the one of the instruction. */
  "placeMismatch",
  /** Metadata does not hash to what the leaf says; the leaf itself is fine. */
  "metadataMismatch",
  /** Unknown instruction, or arguments that do not decode. */
  "instructionUnknown",
] as const;
export type CallFault = (typeof callFaults)[number];

export interface ProvedCall {
  /** Null when nothing is to be applied. */
  readonly change: LedgerChange | null;
  readonly faults: readonly CallFault[];
}

/**
 * Recomputes every hash of a call: what does not match is named as a fault and is not part of the change. An unknown
 * instruction with a sound leaf event still changes the leaf, provided that the event is its own.
 */
export const proveCall = (call: BubblegumCall): ProvedCall => {
  const { instruction } = call;
  const unknown: readonly CallFault[] = instruction === null ? ["instructionUnknown"] : none;
  if (instruction?.shape.effect === "none") return nothing();
  // A known instruction logs its own change first; behind an unknown one a forged log may be the first.
  if (instruction === null && !call.ownsEvents) return nothing("instructionUnknown");
  const changeLog = changeLogOf(call);
  if (changeLog === null) return nothing(...unknown, ...faultsWithoutLog(call));
  if (instruction?.shape.effect === "createTree") {
    return { change: { kind: "tree", tree: changeLog.tree, seq: changeLog.seq }, faults: [] };
  }
  if (isMisplaced(instruction, changeLog)) return nothing("placeMismatch");
  const outcome = instruction?.shape.effect;
  if (instruction !== null && (outcome === "burn" || outcome === "redeem")) {
    return emptied(call, instruction, changeLog, outcome === "burn" ? "burnt" : "redeemed");
  }
  const proved = newLeaf(call, changeLog);
  return unknown.length === 0 ? proved : { ...proved, faults: [...unknown, ...proved.faults] };
};

const none: readonly CallFault[] = [];
const metadataMismatch: readonly CallFault[] = ["metadataMismatch"];

const nothing = (...faults: readonly CallFault[]): ProvedCall => ({ change: null, faults });

/** A call has one; where foreign payloads got among the children, it is the first one of a tree that was passed in. */
const changeLogOf = ({ accounts, changeLogs }: BubblegumCall): ChangeLog | null =>
  changeLogs.find(({ tree }) => accounts.some((account) => sameBytes(account, tree))) ?? null;

const faultsWithoutLog = ({ changeLogs, leafEvents, instruction }: BubblegumCall): readonly CallFault[] => {
  if (changeLogs.length > 0) return ["placeMismatch"];
  return leafEvents.length > 0 || instruction !== null ? ["changeLogMissing"] : [];
};

const isMisplaced = (instruction: BubblegumInstruction | null, changeLog: ChangeLog): boolean => {
  const leafIndex = instruction?.arguments.leafIndex ?? null;
  return leafIndex !== null && leafIndex !== changeLog.leafIndex;
};

const emptied = (
  call: BubblegumCall,
  { arguments: given }: BubblegumInstruction,
  changeLog: ChangeLog,
  kind: "burnt" | "redeemed",
): ProvedCall => {
  const { tree, seq, leaf, leafIndex } = changeLog;
  if (leaf.some((byte) => byte !== 0)) return nothing("leafMismatch");
  const nonce = given.nonce ?? leafIndex;
  const assetId = deriveAssetId(tree, nonce);
  return {
    change: {
      kind: "leaf",
      tree,
      seq,
      assetId,
      nonce,
      treeConfig: configOf(call),
      outcome: { kind },
      metadata: null,
      changeLog,
    },
    faults: [],
  };
};

/** The first account of every instruction that changes a tree. */
const configOf = ({ instruction, accounts }: BubblegumCall): Uint8Array | null =>
  instruction === null ? null : (accounts[0] ?? null);

const newLeaf = (call: BubblegumCall, changeLog: ChangeLog): ProvedCall => {
  const { instruction } = call;
  const metadata = instruction === null ? null : nextMetadata(instruction);
  const found = leafOf(call, changeLog, metadata);
  if (typeof found === "string") return nothing(found);
  const nonce = instruction?.arguments.nonce ?? null;
  if (nonce !== null && nonce !== found.nonce) return nothing("placeMismatch");
  const isProved = metadata === null || isMetadataOf(found, metadata);
  const change: LeafChange = {
    kind: "leaf",
    tree: changeLog.tree,
    seq: changeLog.seq,
    assetId: found.assetId,
    nonce: found.nonce,
    treeConfig: configOf(call),
    outcome: { kind: "leaf", leaf: found, leafHash: changeLog.leaf },
    metadata: isProved ? metadata : null,
    changeLog,
  };
  return { change, faults: isProved ? none : metadataMismatch };
};

const leafOf = (
  { instruction, leafEvents }: BubblegumCall,
  changeLog: ChangeLog,
  metadata: LeafMetadata | null,
): Leaf | CallFault => {
  const event = leafEvents.find(
    ({ leaf, leafHash }) => sameBytes(leafHash, changeLog.leaf) && sameBytes(hashLeaf(leaf), changeLog.leaf),
  );
  if (event !== undefined) return event.leaf;
  const rebuilt =
    instruction === null
      ? null
      : rebuildLeaf(instruction, metadata, changeLog.tree, changeLog.leafIndex, changeLog.leaf);
  return rebuilt ?? (leafEvents.length > 0 ? "leafMismatch" : "leafMissing");
};

/** Whether these are the very metadata behind the leaf's hashes. */
const isMetadataOf = (leaf: Leaf, metadata: LeafMetadata): boolean =>
  sameBytes(hashMetadata(metadata), leaf.dataHash) &&
  sameBytes(hashCreators(metadata.creators), leaf.creatorHash) &&
  (leaf.version === 1 ||
    sameBytes(hashCollection(metadata.collection?.address ?? null), leaf.collectionHash));
