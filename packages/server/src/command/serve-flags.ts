import type { ServeFlags } from "../config/resolve-settings.ts";
import { parseFlags } from "./command-line.ts";

export const serveUsage = `--store URL [--host HOST] [--port PORT] [--key KEY]… [--config FILE]

  --store   store to serve, as sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE
  --host    address to listen on (127.0.0.1)
  --port    port to listen on (8899); 0 picks a free one
  --key     a key that may call; may be given more than once
  --config  configuration file; see lamplight.config.schema.json

Environment: LAMPLIGHT_STORE, LAMPLIGHT_HOST, LAMPLIGHT_PORT, LAMPLIGHT_KEYS (separated by commas),
LAMPLIGHT_CONFIG, LAMPLIGHT_PROFILE, LAMPLIGHT_LOG_LEVEL. Flags win over it, and it wins over the file.`;

const options = {
  store: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  key: { type: "string", multiple: true },
  config: { type: "string" },
} as const;

/** @throws LamplightError `CLI__USAGE` */
export const parseServeFlags = (args: readonly string[]): ServeFlags => parseFlags(args, options);
