import { type LedgerState, type NodesState, nodesStateKey, writeNodesState } from "@lamplight/core";

/** The compression state that says whether a store keeps nodes of trees. */
export const ledgerOfNodes = (state: NodesState): LedgerState => ({
  kind: "node",
  key: nodesStateKey,
  tree: nodesStateKey,
  state: writeNodesState(state),
});

/** A store that has had it from the beginning keeps all nodes. */
export const allNodesKept: LedgerState = ledgerOfNodes({ after: null, isFilled: true });
