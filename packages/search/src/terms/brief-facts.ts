import { type AssetChange, type BriefChange, closedBitsOf } from "@lamplight/core";

/** Shortens changes of stores that do not list them in brief. */
export const inBrief = ({ ordinal, changeSeq, facts }: AssetChange): BriefChange => ({
  ordinal,
  changeSeq,
  facts: facts && {
    id: facts.id,
    createdSlot: facts.createdSlot,
    updatedSlot: facts.updatedSlot,
    closed: closedBitsOf(facts),
  },
});
