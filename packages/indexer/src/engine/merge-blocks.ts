import { type LedgerState, NodeBlock } from "@lamplight/core";

/** Several states of one block of nodes in one. Any order of them gives the same one. */
export const mergeBlocks = (states: readonly [LedgerState, ...LedgerState[]]): LedgerState => {
  const [first, ...others] = states;
  if (others.length === 0) return first;
  const block = NodeBlock.parse(first.state);
  for (const { state } of others) block.merge(NodeBlock.parse(state));
  return { ...first, state: block.write() };
};
