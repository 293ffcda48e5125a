import { VIEW_IDLE_TIMEOUT_MS, WRITER_SILENCE_MS } from "./settings.ts";

/** What a session is for. Readers can only read. */
export type SessionRole =
  | { readonly role: "writer"; readonly silenceMs?: number }
  | { readonly role: "reader"; readonly statementTimeoutMs: number };

/**
 * What every session reports the server first. As statements, not as options of the connection: poolers refuse those, and
 * the URL may have some of its own. What a database or a user may have been given otherwise, and would cut a load short
 * or change how bytes are written, is reported too.
 */
export const settingsSql = (schema: string, role: SessionRole): string =>
  [
    ...common(schema),
    ...(role.role === "writer" ? writing(role.silenceMs) : reading(role.statementTimeoutMs)),
  ]
    .map((setting) => `SET ${setting}`)
    .join("; ");

const common = (schema: string): readonly string[] => [
  `search_path = "${schema}"`,
  "bytea_output = hex",
  "jit = off",
  "client_min_messages = warning",
];

/** What a writer does may take long; a writer that is gone, or frozen, must not hold its locks for long. */
const writing = (silenceMs: number = WRITER_SILENCE_MS): readonly string[] => [
  "statement_timeout = 0",
  "lock_timeout = 0",
  // Its machine vanished: the server looks whether it is there.
  "tcp_keepalives_idle = 10",
  "tcp_keepalives_interval = 5",
  "tcp_keepalives_count = 3",
  // It takes nothing in any more, or asks nothing, though its machine is well.
  `tcp_user_timeout = ${silenceMs}`,
  `idle_in_transaction_session_timeout = ${silenceMs}`,
  `idle_session_timeout = ${silenceMs}`,
];

const reading = (statementTimeoutMs: number): readonly string[] => [
  "default_transaction_read_only = on",
  `statement_timeout = ${statementTimeoutMs}`,
  `idle_in_transaction_session_timeout = ${VIEW_IDLE_TIMEOUT_MS}`,
];
