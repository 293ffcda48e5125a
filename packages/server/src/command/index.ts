// The part of the server package that commands need before they know whether they serve: loads no server.
export { choosePort } from "./choose-port.ts";
export { resolveMaxStaleSeconds, resolvePort } from "../config/resolve-settings.ts";
export { DEFAULT_PORT, defaultMetricsHost } from "../config/settings.ts";
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
export { apiVersion } from "../version.ts";
