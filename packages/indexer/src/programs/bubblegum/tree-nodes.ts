// Nodes above the leaves, as the change logs of transactions carry them: each has the whole path up to the root.

import { type LeafChange, pathNode } from "@lamplight/codecs";
import {
  isLater,
  keptLevels,
  type LedgerState,
  parseTreeNode,
  type Slot,
  type TreeNode,
  treeNodeKey,
  writeTreeNode,
} from "@lamplight/core";
import type { LedgerEvent } from "../../rules/rules.ts";

/** A node as one change of its tree left it. */
export interface NodeEvent extends LedgerEvent {
  readonly kind: "node";
  readonly node: TreeNode;
}

/** The nodes above the leaf of a change, on the levels that stores keep. */
export const nodeEvents = ({ tree, seq, changeLog }: LeafChange, slot: Slot): readonly NodeEvent[] =>
  keptLevels(changeLog.depth).map((level) => ({
    kind: "node",
    key: treeNodeKey(tree, level, changeLog.leafIndex >>> level),
    tree,
    slot,
    node: { seq, slot, hash: pathNode(changeLog, level) },
  }));

/** The newest of all: the events may come in any order and any number of times. */
export const foldNode = (known: LedgerState | null, events: readonly NodeEvent[]): LedgerState => {
  const { key, tree } = events[0]!;
  const nodes = events.map(({ node }) => node);
  const newest = nodes.reduce(newer, known === null ? nodes[0]! : parseTreeNode(known.state));
  return { key, kind: "node", tree, state: writeTreeNode(newest) };
};

/** Equal changes come from forks: then any rule that all orders agree on. */
const newer = (a: TreeNode, b: TreeNode): TreeNode => {
  if (isLater(a, b)) return a;
  return isLater(b, a) || Buffer.compare(b.hash, a.hash) > 0 ? b : a;
};
