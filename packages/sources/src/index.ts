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
export { createDirectoryFetcher, documentFileName } from "./offchain-json/directory-fetcher.ts";
export type { DocumentFetcher, FetchOutcome, Validators } from "./offchain-json/fetch-outcome.ts";
export { createNetworkFetcher, type NetworkFetcherOptions } from "./offchain-json/network-fetcher.ts";
export { offchainLimits, type OffchainLimits } from "./offchain-json/offchain-limits.ts";
export {
  type FetchReport,
  OffchainWorker,
  type OffchainWorkerOptions,
} from "./offchain-json/offchain-worker.ts";
