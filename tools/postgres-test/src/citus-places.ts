export interface CitusPlaces {
  /** `shards://…` */
  readonly url: string;
  /** Its schemas, the coordinator's last. */
  readonly schemas: readonly string[];
}

/** Places of a store on a Citus: a plain schema on its coordinator, and shards that it places on its workers. */
export const citusPlaces = (server: string, name: string, shards: number): CitusPlaces => {
  const coordinator = `coordinator_${name}`;
  const url = new URL(`shards${server.slice(server.indexOf(":"))}`);
  url.searchParams.set("schema", coordinator);
  const schemas = Array.from({ length: shards }, (_, place) => `shard_${name}_${place}`);
  for (const schema of schemas) {
    const shard = new URL(server);
    shard.searchParams.set("schema", schema);
    url.searchParams.append("shard", shard.href);
  }
  return { url: url.href, schemas: [...schemas, coordinator] };
};
