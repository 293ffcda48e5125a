import { chooseServer } from "./choose-server.ts";
import { assertKeepsSession } from "./keeps-session.ts";
import type { PostgresLocation } from "./location.ts";
import { Session } from "./session.ts";
import type { SessionRole } from "./session-settings.ts";

/**
 * The location of one server, chosen for the role where there are several.
 *
 * @throws LamplightError of the STORE family
 */
export const locate = async (
  location: PostgresLocation,
  role: SessionRole["role"],
): Promise<PostgresLocation> => {
  const { choice, name } = location;
  return choice === null ? location : chooseServer(choice, name, role);
};

/**
 * Opens a session on the server that suits its role.
 *
 * @throws LamplightError of the STORE family; `STORE__POOLED` for a writer whose session a pooler would not keep
 */
export const openSession = async (location: PostgresLocation, role: SessionRole): Promise<Session> => {
  const server = await locate(location, role.role);
  return Session.open(server, role, (session) => assertKeepsSession(server, session));
};
