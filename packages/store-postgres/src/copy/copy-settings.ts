/** Rows of a page of an export, fewer where a row carries a document. */
export const EXPORT_PAGE_ROWS = 2000;
export const EXPORT_PAGE_DOCUMENTS = 500;
