import type { RequestViews } from "@lamplight/core";

/** Tree addresses written out; the header stays well below what proxies let through. */
const TREES_NAMED_MAX = 20;

/**
 * The headers in which an answer reports the state it was read from: `X-Slot` where all of it is of one slot,
 * `X-Updated-Slot` where it is one asset, `X-Coverage: partial` where it lists only what account dumps happened to
 * hold, and `X-Incomplete-Trees` where a missing leaf of some trees could change it, as addresses, with `+N` for those
 * not named.
 */
export const viewHeaders = (views: RequestViews): readonly string[] => {
  const slots = views.slots();
  const headers = slots.length === 1 ? ["X-Slot", String(slots[0])] : [];
  if (views.updatedSlot !== null) headers.push("X-Updated-Slot", String(views.updatedSlot));
  if (views.isPartial) headers.push("X-Coverage", "partial");
  const trees = views.incompleteTrees();
  if (trees.length === 0) return headers;
  const named = trees.slice(0, TREES_NAMED_MAX);
  const rest = trees.length - named.length;
  return [...headers, "X-Incomplete-Trees", [...named, ...(rest > 0 ? [`+${rest}`] : [])].join(", ")];
};
