import { busy, define } from "./definition.ts";

/** The process itself: its settings, its port, its load, its bugs. */
export const processCodes = {
  /** The server reached a bound that all callers share. `reason` is only logged. */
  SERVER__BUSY: define<{ reason: string }>({
    family: "world",
    retryable: true,
    message: ({ reason }) => `The server is busy: ${reason}`,
    rpc: busy,
  }),
  CONFIG__INVALID: define<{ file: string; field: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ file, field, reason }) => `${file}: ${field} ${reason}`,
  }),
  CLI__USAGE: define<{ reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ reason }) => reason,
  }),
  /** `portSettings` names the flag and the environment variable that choose another port. */
  SERVER__PORT_IN_USE: define<{ host: string; port: number; portSettings: string }>({
    family: "caller",
    retryable: false,
    message: ({ host, port, portSettings }) =>
      `${host}:${port} is in use; choose another with ${portSettings} (0 picks a free one)`,
  }),
  SERVER__CANNOT_LISTEN: define<{ host: string; port: number; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ host, port, reason }) => `cannot listen on ${host}:${port}: ${reason}`,
  }),
  /** A server of Lamplight's methods that a command asks. `setting` names the flag and the variable that choose another. */
  SERVER__UNREACHABLE: define<{ url: string; reason: string; setting: string }>({
    family: "world",
    retryable: true,
    message: ({ url, reason, setting }) =>
      `no server answers at ${url} (${reason}); start one, such as lamplight dev, or name another with ${setting}`,
  }),
  CLI__TEMPORARY_FOLDER: define<{ folder: string; reason: string }>({
    family: "caller",
    retryable: false,
    message: ({ folder, reason }) =>
      `cannot write to the temporary folder ${folder} (${reason}); name another with TMPDIR`,
  }),
  /** A bug of ours. The caller receives the id; the log has the cause under it. */
  INTERNAL: define<{ id: string }>({
    family: "us",
    retryable: false,
    message: ({ id }) => `internal error ${id}`,
    rpc: { code: -32603, message: () => "Internal error", data: ({ id }) => ({ id }) },
  }),
  /** A state that our own code rules out. `what` names it in one clause. */
  INTERNAL__INVARIANT: define<{ what: string }>({
    family: "us",
    retryable: false,
    message: ({ what }) => `${what}. This is a bug in Lamplight; please report it`,
  }),
};
