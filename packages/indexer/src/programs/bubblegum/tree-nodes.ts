// Nodes of trees, as the change logs of transactions carry them: each has the whole path from the leaf up to the root.

import { type LeafChange, pathNode } from "@lamplight/codecs";
import {
  BLOCK_WIDTH,
  blockLevels,
  blockPlaceOf,
  type LedgerState,
  NodeBlock,
  nodeBlockKey,
  type Slot,
} from "@lamplight/core";
import type { LedgerEvent } from "../../rules/rules.ts";

/** The part of the path of one change that lies in one block. */
export interface NodesEvent extends LedgerEvent {
  readonly kind: "nodes";
  readonly change: LeafChange;
  /** The lowest level of the block. */
  readonly level: number;
}

/** One for each block that the path of a change goes through. */
export const nodesEvents = (change: LeafChange, slot: Slot): readonly NodesEvent[] => {
  const { tree, changeLog } = change;
  return blockLevels(changeLog.depth).map((level) => ({
    kind: "nodes",
    key: nodeBlockKey(tree, level, blockPlaceOf(changeLog.leafIndex, level)),
    tree,
    slot,
    change,
    level,
  }));
};

/** The newest of all: the events may come in any order and any number of times. */
export const foldNodes = (known: LedgerState | null, events: readonly NodesEvent[]): LedgerState => {
  const { key, tree } = events[0]!;
  const block = known === null ? NodeBlock.empty() : NodeBlock.parse(known.state);
  for (const { change, slot, level } of events) {
    const { seq, changeLog } = change;
    const place = (changeLog.leafIndex >>> level) % BLOCK_WIDTH;
    block.put(place, { seq, slot }, (up) => nodeBelowRoot(changeLog, level + up));
  }
  return { key, kind: "nodes", tree, state: block.write() };
};

const noNode = new Uint8Array(32);

/** Zero bytes on the levels of the top block that the tree has not. A tree made again at the address may have them. */
const nodeBelowRoot = (changeLog: LeafChange["changeLog"], level: number): Uint8Array =>
  level < changeLog.depth ? pathNode(changeLog, level) : noNode;
