// The part of the server package that commands need before they know whether they serve: loads no server.
export { choosePort } from "./choose-port.ts";
export { resolveMaxStaleSeconds, resolveMethods, resolvePort } from "../config/resolve-settings.ts";
export { DEFAULT_PORT, defaultMetricsHost, type FurtherContract } from "../config/settings.ts";
export { exitCodes, reportFailure } from "./failure.ts";
export { parseFlags, parseWords } from "./command-line.ts";
export { serveOptions, serveUsage } from "./serve-flags.ts";
export { print, printError, printJson, printStyled } from "./terminal.ts";
export { applyFileVariables } from "../config/file-variables.ts";
export {
  type MetricParts,
  type MetricsAddress,
  type ProbeAnswer,
  startMetricsPort,
} from "../metrics/metrics-port.ts";
export { loadDasContract } from "../rpc/das-contract.ts";
export { mainContract, type ServedContract } from "../rpc/served-contract.ts";
export { apiVersion } from "../version.ts";
export {
  createKey,
  disableKey,
  limitKey,
  readKeys,
  rotateKey,
  toKeyStoreError,
} from "../key-store/key-admin.ts";
export { findRecord } from "../key-store/change-records.ts";
export { plainRecord } from "../key-store/key-file.ts";
export { type KeyLimits, type KeyRecord, noLimits, numberLimits } from "../key-store/key-record.ts";
export type { KeyStore } from "../key-store/key-store.ts";
export { openKeyStore } from "./keys/open-key-store.ts";
export { readLimit, readMethods, readName, RecordFault } from "../key-store/read-records.ts";
export { hourOf, usageCsv } from "../key-store/usage-csv.ts";
