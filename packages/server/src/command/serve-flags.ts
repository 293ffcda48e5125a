import type { ServeFlags } from "../config/resolve-settings.ts";
import { DEFAULT_PORT } from "../config/settings.ts";
import { parseFlags } from "./command-line.ts";

export const serveUsage = `--store URL [--host HOST] [--port PORT] [--key-file FILE] [--key-store STORE] [--config FILE]
      [--metrics-port PORT] [--metrics-host HOST] [--workers N] [--access-log off|sampled|all] [--access-log-rate SHARE]
      [--max-stale-seconds N] [--methods das]

  --store   store to serve, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE
  --host    address to listen on (127.0.0.1)
  --port    port to listen on (${DEFAULT_PORT}); 0 picks a free one
  --key-file  file with the API keys, one per line; at least 16 characters each unless --host is loopback
  --key-store  keys with limits, which lamplight keys makes and changes: a file, or postgres://… for nodes that share them
  --key     an API key, for tests only: other users of this machine see command lines; may be repeated
  --config  configuration file; see lamplight.config.schema.json
  --metrics-port  port for /metrics (Prometheus), /readyz with all details, and a /livez that answers while calls keep
            the process busy, and turns 503 once the process hangs for a minute; 0 picks a free one
  --metrics-host  address for these (127.0.0.1)
  --workers  threads that answer calls (1); as many as processors use the whole machine. They share one address, one
            search index and all limits. Linux and FreeBSD only
  --access-log  off (default), sampled or all: a line for each request, without its key, path or body. Requests over
            log.slowCallMs (1000 ms) always get one unless it is off
  --access-log-rate  share of the requests that sampled logs (0.01)
  --max-stale-seconds  /readyz answers 503 once no new slot came for so long (60 where a chain is followed, else never)
  --methods  das also serves the DAS methods, under /das/API_KEY; experimental

Environment: LAMPLIGHT_STORE, LAMPLIGHT_HOST, LAMPLIGHT_PORT, LAMPLIGHT_KEYS (separated by commas), LAMPLIGHT_KEY_STORE,
LAMPLIGHT_CONFIG, LAMPLIGHT_PROFILE, LAMPLIGHT_METHODS, LAMPLIGHT_LOG_LEVEL, LAMPLIGHT_METRICS_PORT,
LAMPLIGHT_METRICS_HOST, LAMPLIGHT_WORKERS, LAMPLIGHT_MAX_STALE_SECONDS, LAMPLIGHT_ACCESS_LOG, LAMPLIGHT_ACCESS_LOG_RATE,
LAMPLIGHT_LAME_DUCK_MS (limits.lameDuckMs), LAMPLIGHT_SEARCH_CACHE (folder for saved search indexes of PostgreSQL stores,
~/.cache/lamplight). With the suffix _FILE (LAMPLIGHT_KEYS_FILE), a variable names a file that holds the value. Flags
override the environment, which overrides the configuration file.

OTEL_EXPORTER_OTLP_ENDPOINT sends traces there, by OTLP over HTTP.

SIGHUP reads keys, log level and the settings of the access log again where the process has no terminal; with one it
ends the process, as SIGTERM does.`;

/** For `parseArgs`; a command may add its own. */
export const serveOptions = {
  store: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  key: { type: "string", multiple: true },
  "key-file": { type: "string" },
  "key-store": { type: "string" },
  config: { type: "string" },
  "metrics-port": { type: "string" },
  "metrics-host": { type: "string" },
  workers: { type: "string" },
  "access-log": { type: "string" },
  "access-log-rate": { type: "string" },
  "max-stale-seconds": { type: "string" },
  methods: { type: "string" },
} as const;

/** @throws LamplightError `CLI__USAGE` */
export const parseServeFlags = (args: readonly string[]): ServeFlags => parseFlags(args, serveOptions);
