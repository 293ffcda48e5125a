import type { Edition, EditionPage, EditionStart, MasterEdition } from "@lamplight/core";

/** @param all - prints of one master edition, in their order */
export const listPrints = (
  all: readonly Edition[],
  start: EditionStart,
  limit: number,
): readonly Edition[] => {
  const { from, to } = placeOf(all, start, limit);
  return all.slice(from, to);
};

export const pageOfPrints = (
  master: MasterEdition | null,
  all: readonly Edition[],
  start: EditionStart,
  limit: number,
): EditionPage => ({
  master,
  count: all.length,
  editions: listPrints(all, start, limit),
  hasMore: placeOf(all, start, limit).to < all.length,
});

const placeOf = (all: readonly Edition[], start: EditionStart, limit: number) => {
  if (start.kind === "offset") return { from: start.offset, to: start.offset + limit };
  if (start.kind === "after") {
    const from = all.filter(({ number }) => number <= start.number).length;
    return { from, to: from + limit };
  }
  const to = all.filter(({ number }) => number < start.number).length;
  return { from: Math.max(0, to - limit), to };
};
