import { VIEW_IDLE_TIMEOUT_MS } from "./settings.ts";

/** What a session is for. Readers can only read. */
export type SessionRole =
  | { readonly role: "writer" }
  | { readonly role: "reader"; readonly statementTimeoutMs: number };

/**
 * What every session tells the server first. As statements, not as options of the connection: poolers refuse those, and
 * the URL may have some of its own. What a database or a user may have been given otherwise, and would cut a load short
 * or change how bytes are written, is told too.
 */
export const settingsSql = (schema: string, role: SessionRole): string =>
  [...common(schema), ...(role.role === "writer" ? writer : reader(role.statementTimeoutMs))]
    .map((setting) => `SET ${setting}`)
    .join("; ");

const common = (schema: string): readonly string[] => [
  `search_path = "${schema}"`,
  "bytea_output = hex",
  "jit = off",
  "client_min_messages = warning",
];

const writer: readonly string[] = [
  "statement_timeout = 0",
  "lock_timeout = 0",
  // A writer whose machine vanished must not hold its lock for hours: the server looks whether it is there.
  "tcp_keepalives_idle = 10",
  "tcp_keepalives_interval = 5",
  "tcp_keepalives_count = 3",
];

const reader = (statementTimeoutMs: number): readonly string[] => [
  "default_transaction_read_only = on",
  `statement_timeout = ${statementTimeoutMs}`,
  `idle_in_transaction_session_timeout = ${VIEW_IDLE_TIMEOUT_MS}`,
];
