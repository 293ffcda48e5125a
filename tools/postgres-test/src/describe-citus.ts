import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, describe, vi } from "vitest";
import { citusPlaces } from "./citus-places.ts";

/** Shards of the stores under test: one for each worker of a small Citus, because it takes seconds to place one. */
const SHARDS = 2;

/**
 * `describe` with the Citus that `LAMPLIGHT_CITUS_URL` names: the coordinator of an existing cluster. Its stores have a
 * coordinator in a plain schema there, and shards that Citus places. They are deleted in the end.
 */
export const describeCitus = (name: string, body: (newStore: () => string, server: string) => void): void => {
  const server = process.env["LAMPLIGHT_CITUS_URL"];
  if (server === undefined) console.warn(`SKIPPED ${name}: LAMPLIGHT_CITUS_URL names no Citus`);
  describe.skipIf(server === undefined)(name, () => {
    const run = randomBytes(4).toString("hex");
    const schemas: string[] = [];
    afterAll(async () => {
      // Other test files place their shards at the same time, and Citus ends one of two that wait for each other.
      for (const schema of schemas) await vi.waitFor(() => dropSchema(server!, schema), { timeout: 60_000 });
    });
    const newStore = (): string => {
      const places = citusPlaces(server!, `${run}_${schemas.length}`, SHARDS);
      schemas.push(...places.schemas);
      return places.url;
    };
    body(newStore, server!);
  });
};

const dropSchema = async (server: string, schema: string): Promise<void> => {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  } finally {
    await client.end();
  }
};
