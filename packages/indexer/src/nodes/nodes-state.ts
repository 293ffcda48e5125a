import { type TreeTop, treeTopOf } from "@lamplight/codecs";
import {
  type AddressBytes,
  type IndexStore,
  type LedgerState,
  type NodesState,
  nodesStateKey,
  parseNodesState,
  writeNodesState,
} from "@lamplight/core";

/** A store whose trees can be read one after another. */
export type NodesStore = Pick<IndexStore, "readLedger" | "readAccountStates"> &
  Required<Pick<IndexStore, "readTrees">>;

/** Whether nodes can be kept in a store, and filled. */
export const listsTrees = (store: IndexStore): store is IndexStore & NodesStore =>
  store.readTrees !== undefined;

/** The compression state that says whether a store keeps nodes of trees. */
export const ledgerOfNodes = (state: NodesState): LedgerState => ({
  kind: "nodes",
  key: nodesStateKey,
  tree: nodesStateKey,
  state: writeNodesState(state),
});

/** Nodes are kept from now on, and none of earlier changes is there yet. */
export const unfilledNodes: NodesState = { after: null, isFilled: false };

/** A store that has had it from the beginning keeps all nodes. */
export const allNodesKept: LedgerState = ledgerOfNodes({ after: null, isFilled: true });

/** Null where the store keeps no nodes. */
export const readNodesState = async (store: Pick<IndexStore, "readLedger">): Promise<NodesState | null> => {
  const [ledger] = await store.readLedger("nodes", [nodesStateKey]);
  return ledger === null || ledger === undefined ? null : parseNodesState(ledger.state);
};

/** Reads the account of a tree. A tree whose account is not known has no proofs, and needs no nodes. */
export const readTop = async (
  store: Pick<IndexStore, "readAccountStates">,
  tree: AddressBytes,
): Promise<TreeTop | null> => {
  const [account] = await store.readAccountStates([tree]);
  return account ? treeTopOf(account.current) : null;
};
