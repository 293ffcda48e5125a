import { isLamplightError, LamplightError } from "@lamplight/errors";
import type { PostgresLocation, ServerChoice, ServerTarget } from "./location.ts";
import { Session } from "./session.ts";
import type { SessionRole } from "./session-settings.ts";
import { SERVER_SILENCE_MS } from "./settings.ts";

/** Role of a server among those that replicate each other. */
export interface ServerRole {
  readonly isStandby: boolean;
  /** Whether transactions cannot write: it is a standby, or its default says so. */
  readonly isReadOnly: boolean;
}

export const serverRoleColumns =
  "pg_is_in_recovery(), pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean";

export const serverRoleOf = ([isStandby, isReadOnly]: readonly unknown[]): ServerRole => ({
  isStandby: isStandby === true,
  isReadOnly: isReadOnly === true,
});

/** Whether a server may be used for a target; `prefer-standby` also takes others where there is no standby. */
export const suits = (target: ServerTarget, { isStandby, isReadOnly }: ServerRole): boolean => {
  switch (target) {
    case "read-write":
      return !isReadOnly;
    case "read-only":
      return isReadOnly;
    case "primary":
      return !isStandby;
    case "standby":
      return isStandby;
    default:
      return true;
  }
};

/** The servers in the order in which readers try them. */
export const orderOf = ({ servers, isRandom }: ServerChoice): readonly PostgresLocation[] =>
  isRandom ? shuffled(servers) : servers;

/** Each order is equally likely (Fisher-Yates). */
const shuffled = <Item>(items: readonly Item[]): readonly Item[] => {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const at = Math.floor(Math.random() * (last + 1));
    [order[last], order[at]] = [order[at]!, order[last]!];
  }
  return order;
};

/**
 * The server for a session: the first that answers and suits, as libpq chooses.
 *
 * @throws LamplightError `STORE__UNREACHABLE` with what is wrong with each server
 */
export const chooseServer = async (
  choice: ServerChoice,
  store: string,
  role: SessionRole["role"],
): Promise<PostgresLocation> => {
  const target = role === "writer" ? "read-write" : choice.target;
  const problems: string[] = [];
  let second: PostgresLocation | null = null;
  for (const server of role === "writer" ? choice.servers : orderOf(choice)) {
    try {
      const found = await readServerRole(server);
      if (suits(target, found) && (target !== "prefer-standby" || found.isStandby)) return server;
      if (suits(target, found)) second ??= server;
      else problems.push(`${server.name} is ${found.isStandby ? "a standby" : "no standby"}, not ${target}`);
    } catch (error) {
      if (!isLamplightError(error)) throw error;
      problems.push(error.message);
    }
  }
  if (second !== null) return second;
  throw new LamplightError("STORE__UNREACHABLE", { store, reason: problems.join("; ") });
};

const readServerRole = async (server: PostgresLocation): Promise<ServerRole> => {
  const session = await Session.open(server, { role: "watch", replyTimeoutMs: SERVER_SILENCE_MS });
  try {
    const [row] = await session.execute(`SELECT ${serverRoleColumns}`);
    return serverRoleOf(row ?? []);
  } finally {
    await session.close();
  }
};
