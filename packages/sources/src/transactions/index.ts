export { parseTransactions } from "./parse-transaction.ts";
export { readTransactionFiles } from "./read-transaction-files.ts";
