import { LamplightError } from "@lamplight/errors";
import { parsePostgresUrl } from "@lamplight/store-postgres";

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
 * @throws LamplightError `STORE__URL`, or `STORE__NO_SUCH_USE` where a URL names several servers
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
  const coordinator = url.href.replace(/^shards:/u, "postgres:");
  for (const one of [coordinator, ...shards]) assertOneServer(one);
  return { coordinator, shards };
};

/** A standby may lag behind what its primary has acknowledged, and answers over several shards rely on that. */
const assertOneServer = (url: string): void => {
  const { choice, name } = parsePostgresUrl(url);
  if (choice !== null)
    throw new LamplightError("STORE__NO_SUCH_USE", {
      store: "shards:…",
      use: `choose among the servers of ${name}`,
      instead: "name its primary alone, without target_session_attrs",
    });
};
