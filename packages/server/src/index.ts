export { serve } from "./command/serve.ts";
export type { LamplightConfig } from "./config/lamplight-config.ts";
export type { Environment } from "./config/resolve-settings.ts";
export type { ServerSettings } from "./config/settings.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { createLog, type Log, type LogLevel, silentLog } from "./log/log.ts";
export type { CallObserver, CallReport } from "./rpc/observer.ts";
export { type RunningServer, type ServerOptions, startServer } from "./start-server.ts";
export { apiVersion } from "./version.ts";
