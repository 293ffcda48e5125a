import { dropPostgresStore } from "@lamplight/store-postgres";
import { parseShardsUrl } from "./location.ts";

/**
 * Deletes a store: its schema in each database.
 *
 * @throws LamplightError of the STORE family
 */
export const dropShardsStore = async (url: string): Promise<void> => {
  const { coordinator, shards } = parseShardsUrl(url);
  for (const one of [...shards, coordinator]) await dropPostgresStore(one);
};
