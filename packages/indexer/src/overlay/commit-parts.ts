import { VERSIONS_PER_FINALIZED_COMMIT_MAX } from "./limits.ts";
import type { SlotNode } from "./slot-tree.ts";

/**
 * Splits a path into parts of complete slots, one for each commit. The oldest part comes first; within a part, the
 * newest slot does. A part exceeds the bound only if a single slot does.
 */
export const commitParts = (nodes: readonly SlotNode[]): SlotNode[][] => {
  const parts: SlotNode[][] = [[]];
  let versions = 0;
  for (const node of nodes.toReversed()) {
    const { size } = node.changes.writes;
    if (versions > 0 && versions + size > VERSIONS_PER_FINALIZED_COMMIT_MAX) {
      parts.push([]);
      versions = 0;
    }
    parts.at(-1)!.unshift(node);
    versions += size;
  }
  return parts;
};
