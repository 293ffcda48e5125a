import { emptyNode, encodeAddress, hashNodes, treeTopOf } from "@lamplight/codecs";
import { type AddressBytes, nodeOfLeaf, parseLeafState } from "@lamplight/core";
import { openSqliteExport } from "@lamplight/store-sqlite";
import type { DasRow } from "./das-tables.ts";

/** A node that a change has written. */
interface Node {
  readonly hash: Uint8Array;
  /** Of its newest change. */
  readonly seq: number;
}

/** The nodes of one level, by their places from the left. */
type Level = ReadonlyMap<number, Node>;

/** A tree with its leaves. */
export interface LeavesOfTree {
  readonly tree: AddressBytes;
  readonly depth: number;
  readonly leaves: Map<number, Node>;
}

/** The leaves of all trees of a store. */
export const readTrees = async (storeFile: string): Promise<readonly LeavesOfTree[]> => {
  const store = openSqliteExport(storeFile);
  const trees = new Map<string, LeavesOfTree>();
  try {
    for await (const page of store.pages("accounts"))
      for (const { current } of page) {
        const depth = treeTopOf(current)?.depth;
        const tree = current.address;
        if (depth !== undefined) trees.set(encodeAddress(tree), { tree, depth, leaves: new Map() });
      }
    for await (const page of store.pages("ledger"))
      for (const { kind, tree, state } of page) {
        if (kind !== "leaf") continue;
        const leaf = parseLeafState(tree, state);
        const node = nodeOfLeaf(leaf);
        if (node !== null) trees.get(encodeAddress(tree))?.leaves.set(leaf.nonce, node);
      }
    return [...trees.values()];
  } finally {
    await store.close();
  }
};

/** Every node of a tree that is not empty, level by level, as change logs have reported it. */
export function* treeRowsOf({ tree, depth, leaves }: LeavesOfTree): Generator<readonly DasRow<"cl_items">[]> {
  let nodes: Level = leaves;
  for (let level = 0; level <= depth; level += 1) {
    const first = 2 ** (depth - level);
    yield [...nodes].map(([place, { hash, seq }]) => ({
      tree,
      node_idx: first + place,
      leaf_idx: level === 0 ? place : null,
      seq,
      level,
      hash,
    }));
    nodes = levelAbove(nodes, level);
  }
}

const levelAbove = (nodes: Level, level: number): Level => {
  const above = new Map<number, Node>();
  const none: Node = { hash: emptyNode(level), seq: 0 };
  for (const place of nodes.keys()) {
    const [left, right] = [nodes.get(place & ~1) ?? none, nodes.get(place | 1) ?? none];
    above.set(place >>> 1, {
      hash: hashNodes(left.hash, right.hash),
      seq: Math.max(left.seq, right.seq),
    });
  }
  return above;
};
