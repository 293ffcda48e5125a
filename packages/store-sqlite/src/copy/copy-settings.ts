/** Rows of a page of an export, fewer where a row carries a document. */
export const EXPORT_PAGE_ROWS = 2000;
export const EXPORT_PAGE_DOCUMENTS = 500;
/** Pages that a backup copies between two checks of the signal. */
export const BACKUP_STEP_PAGES = 4096;
