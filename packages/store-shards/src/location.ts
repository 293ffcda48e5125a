import { LamplightError } from "@lamplight/errors";

/** The databases of a store. */
export interface ShardsLocation {
  /** URL of the coordinator's store in PostgreSQL. */
  readonly coordinator: string;
  /** URLs of the shards. Their order and their number never change. */
  readonly shards: readonly string[];
}

/** Shards of one store. */
const SHARDS_MAX = 64;

/**
 * Reads `shards://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME&shard=URL&shard=URL`: the place of the coordinator, and
 * a `postgres:` URL for each shard. A `&` within a shard's URL is written `%26`.
 *
 * @throws LamplightError `STORE__URL`
 */
export const parseShardsUrl = (text: string): ShardsLocation => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const shards = url?.searchParams.getAll("shard") ?? [];
  const isValid =
    url !== null &&
    url.protocol === "shards:" &&
    url.host !== "" &&
    shards.length > 0 &&
    shards.length <= SHARDS_MAX &&
    shards.every((shard) => shard !== "") &&
    new Set(shards).size === shards.length;
  if (!isValid) throw new LamplightError("STORE__URL", { url: "shards:…" });
  url.searchParams.delete("shard");
  return { coordinator: url.href.replace(/^shards:/u, "postgres:"), shards };
};
