import { postgresEngine } from "./postgres-engine.ts";
import { shardsEngine } from "./shards-engine.ts";
import { sqliteEngine } from "./sqlite-engine.ts";
import type { KeyTables, StoreEngine } from "./store-engine.ts";
import { unknownStore, urlWithoutSecrets } from "./unknown-store.ts";

/** Every kind of store. A new one is one more line. */
const engines: readonly StoreEngine[] = [sqliteEngine, postgresEngine, shardsEngine];

const bySchemes: ReadonlyMap<string, StoreEngine> = new Map(
  engines.flatMap((engine) => engine.schemes.map((scheme) => [scheme, engine] as const)),
);

/** The engine of a store's URL; null where the URL names none. */
const findEngine = (url: string): StoreEngine | null =>
  bySchemes.get(/^(\w+):/u.exec(url)?.[1] ?? "") ?? null;

/**
 * The engine of a store's URL. The rest of the URL is read by the engine.
 *
 * @throws LamplightError `STORE__URL`
 */
export const engineOf = (url: string): StoreEngine => {
  const engine = findEngine(url);
  if (engine === null) throw unknownStore(url);
  return engine;
};

/**
 * The tables of API keys that a location names; null where it is no URL of a database, but a file.
 *
 * @throws LamplightError `STORE__URL`
 */
export const openKeyTables = async (location: string): Promise<KeyTables | null> =>
  (await findEngine(location)?.openKeyTables?.(location)) ?? null;

/** A store's URL for logs and pages: without user, password and parameters, which may contain one. */
export const nameOfStore = (url: string): string => (findEngine(url)?.nameOf ?? urlWithoutSecrets)(url);
