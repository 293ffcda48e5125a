// The part of the server package that commands need before they know whether they serve: loads no server.
export { choosePort } from "./choose-port.ts";
export { resolveMaxStaleSeconds, resolvePort } from "../config/resolve-settings.ts";
export { DEFAULT_PORT } from "../config/settings.ts";
export { exitCodes, reportFailure } from "./failure.ts";
export { parseFlags, parseWords, usageError } from "./command-line.ts";
export { serveFlagNames, serveUsage } from "./serve-flags.ts";
export { ignoreDebuggerSignal, openOrEnd, untilStopSignal } from "./stop-signal.ts";
export { type OpenedReader, openStoreForReading, openStoreForWriting } from "./open-store.ts";
export { print, printError, printJson, printStyled } from "./terminal.ts";
export { acceptMixedSlots, isPostgresUrl, nameOfStore, parseStoreUrl } from "./store-url.ts";
export { applyFileVariables } from "../config/file-variables.ts";
export {
  BEHIND_SLOTS_MAX,
  FOLLOWED_STALE_SECONDS_MAX,
  type FollowFacts,
  judgeFollowing,
  slotsBehind,
} from "../readiness/rules.ts";
export {
  METRICS_HOST,
  type MetricsAddress,
  type ProbeAnswer,
  startMetricsPort,
} from "../metrics/metrics-port.ts";
export { type NewestSlot, SlotClock } from "../readiness/slot-clock.ts";
export { apiVersion } from "../version.ts";
