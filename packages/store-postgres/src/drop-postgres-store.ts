import { parsePostgresUrl } from "./engine/location.ts";
import { openSession } from "./engine/open-session.ts";

/**
 * Deletes a store: its schema, and everything in it. It serves tests, and cleans up after loads into the wrong schema.
 *
 * @throws LamplightError of the STORE family
 */
export const dropPostgresStore = async (url: string): Promise<void> => {
  const location = parsePostgresUrl(url);
  const session = await openSession(location, { role: "writer" });
  try {
    await session.execute(`DROP SCHEMA IF EXISTS "${location.schema}" CASCADE`);
  } finally {
    await session.close();
  }
};
