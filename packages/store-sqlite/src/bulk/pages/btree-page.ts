// Pages of the engine's trees: https://www.sqlite.org/fileformat2.html#b_tree_pages

export const pageKinds = {
  tableLeaf: 0x0d,
  tableInterior: 0x05,
  indexLeaf: 0x0a,
  indexInterior: 0x02,
} as const;

/** Bytes of a leaf's header; the number of the last child follows in an interior page. */
export const HEADER_BYTES = 8;
export const INTERIOR_HEADER_BYTES = 12;
export const POINTER_BYTES = 2;
export const PAGE_NUMBER_BYTES = 4;

/** @param content - where the cells begin */
export const writePageHeader = (page: Buffer, kind: number, cells: number, content: number): void => {
  page[0] = kind;
  page.writeUInt16BE(0, 1);
  page.writeUInt16BE(cells, 3);
  page.writeUInt16BE(content, 5);
  page[7] = 0;
};
