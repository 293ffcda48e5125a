/** Largest account that the chain allows. */
export const ACCOUNT_DATA_LIMIT_BYTES = 10 * 1024 * 1024;

/** One account as text: its data in base64, and room for the other members. */
export const LINE_LIMIT_BYTES = Math.ceil(ACCOUNT_DATA_LIMIT_BYTES / 3) * 4 + 64 * 1024;

/** A JSON file is parsed as a whole; larger sets come one account per line. */
export const FILE_LIMIT_BYTES = 256 * 1024 * 1024;

/** Folders in folders. Symbolic links to folders are not entered, so only a hostile tree comes near. */
export const FOLDER_DEPTH_LIMIT = 32;

/** A batch is handed on when it reaches either number. */
export const BATCH_ACCOUNTS_LIMIT = 4096;
export const BATCH_DATA_LIMIT_BYTES = 16 * 1024 * 1024;
