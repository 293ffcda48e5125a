import { type LedgerState, NodeBlock } from "@lamplight/core";

/** Both states of one block of nodes in one: commutative, associative and idempotent. */
export const mergeBlocks = (one: LedgerState, other: LedgerState): LedgerState => {
  const block = NodeBlock.parse(one.state);
  block.merge(NodeBlock.parse(other.state));
  return { ...other, state: block.write() };
};
