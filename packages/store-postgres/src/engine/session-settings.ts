import { VIEW_IDLE_TIMEOUT_MS, WRITER_SILENCE_MS } from "./settings.ts";

/** Purpose of a session. Readers can only read. A watch asks for the state of its server. */
export type SessionRole =
  | { readonly role: "writer"; readonly silenceMs?: number; readonly statementTimeoutMs?: number }
  | { readonly role: "reader"; readonly statementTimeoutMs: number }
  | { readonly role: "watch"; readonly replyTimeoutMs: number };

/** A role, as far as settings depend on it. */
type SettingsRole = Exclude<SessionRole, { readonly role: "watch" }> | { readonly role: "watch" };

/**
 * Settings of every session. They are statements instead of options of the connection, because poolers reject
 * options, and the URL may have its own. They override settings of the database or the user that would cut a load
 * short or change the format of bytes.
 */
export const settingsSql = (schema: string, role: SettingsRole): string => settings("SET", schema, role);

/** The same for one transaction. A pooler gives each transaction another session, which others use afterwards. */
export const localSettingsSql = (schema: string, role: SettingsRole): string =>
  settings("SET LOCAL", schema, role);

const settings = (command: string, schema: string, role: SettingsRole): string => {
  return settingsOf(schema, role)
    .map((setting) => `${command} ${setting}`)
    .join("; ");
};

const settingsOf = (schema: string, role: SettingsRole): readonly string[] => {
  switch (role.role) {
    case "writer":
      return [...common(schema), ...writing(role.silenceMs, role.statementTimeoutMs)];
    case "reader":
      return [...common(schema), ...reading(role.statementTimeoutMs)];
    default:
      return ["statement_timeout = 0"];
  }
};

const common = (schema: string): readonly string[] => [
  `search_path = "${schema}"`,
  "bytea_output = hex",
  "jit = off",
  "client_min_messages = warning",
];

/** A writer's statement may take long. But a writer that is gone, or frozen, must not keep its locks for long. */
const writing = (silenceMs = WRITER_SILENCE_MS, statementTimeoutMs = 0): readonly string[] => [
  `statement_timeout = ${statementTimeoutMs}`,
  "lock_timeout = 0",
  // Its machine has vanished: the server checks the connection.
  "tcp_keepalives_idle = 10",
  "tcp_keepalives_interval = 5",
  "tcp_keepalives_count = 3",
  // The process reads nothing or sends nothing, although its machine is well.
  `tcp_user_timeout = ${silenceMs}`,
  `idle_in_transaction_session_timeout = ${silenceMs}`,
  `idle_session_timeout = ${silenceMs}`,
];

const reading = (statementTimeoutMs: number): readonly string[] => [
  "default_transaction_read_only = on",
  `statement_timeout = ${statementTimeoutMs}`,
  `idle_in_transaction_session_timeout = ${VIEW_IDLE_TIMEOUT_MS}`,
];
