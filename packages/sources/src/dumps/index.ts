export { DEFAULT_DUMP_SLOT, readAccountDumps } from "./read-account-dumps.ts";
export { parseAccountDump } from "./parse-account-dump.ts";
