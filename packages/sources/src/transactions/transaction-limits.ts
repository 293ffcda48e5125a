/** A file that is parsed as a whole (blocks reach some tens of megabytes); larger sets come one transaction per line. */
export const FILE_LIMIT_BYTES = 256 * 1024 * 1024;

/** One transaction as text with all its logs and balances. */
export const LINE_LIMIT_BYTES = 16 * 1024 * 1024;

/** Most data the runtime lets one instruction pass to another, as base58 text. */
const INSTRUCTION_DATA_LIMIT_BYTES = 10 * 1024;
export const INSTRUCTION_TEXT_LIMIT = Math.ceil(INSTRUCTION_DATA_LIMIT_BYTES * 1.3658) + 1;

/** A whole transaction in base58 or base64, with room for larger packets to come. */
export const WIRE_TEXT_LIMIT = 16 * 1024;

/** Instruction indexes into keys are one byte. */
export const KEYS_LIMIT = 256;

/** A batch is handed on when it is this large. */
export const BATCH_TRANSACTIONS_LIMIT = 512;
