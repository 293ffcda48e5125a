export { type DumpFile, listDumpFiles } from "./dumps/list-dump-files.ts";
export {
  type BadDump,
  DEFAULT_DUMP_SLOT,
  type DumpBatch,
  type DumpOptions,
  type DumpProgress,
  readAccountDumps,
} from "./dumps/read-account-dumps.ts";
export { DumpFault, parseAccountDump } from "./dumps/parse-account-dump.ts";
export { parseTransactions } from "./transactions/parse-transaction.ts";
export { TransactionFault } from "./transactions/transaction-fault.ts";
export {
  type BadTransaction,
  readTransactionFiles,
  type TransactionBatch,
  type TransactionFileOptions,
} from "./transactions/read-transaction-files.ts";
