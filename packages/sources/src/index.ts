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
