/** A kind of store that any number of processes read next to its one writer, for tests that hold for all of them. */
interface StorePlace {
  readonly kind: string;
  /** @param server - URL of the server; `name` has letters, digits and `_` only */
  readonly urlOf: (server: string, name: string) => string;
}

const SHARDS = 3;

/** A coordinator and three shards, each in a schema of its own. Their transactions have nothing in common. */
const shardsUrlOf = (server: string, name: string): string => {
  const url = new URL(`shards:${server.slice(server.indexOf(":") + 1)}`);
  url.searchParams.set("schema", `${name}_coordinator`);
  for (let place = 0; place < SHARDS; place += 1)
    url.searchParams.append("shard", `${server}?schema=${name}_${place}`);
  return url.href;
};

export const storePlaces: readonly StorePlace[] = [
  { kind: "one database", urlOf: (server, name) => `${server}?schema=${name}` },
  { kind: "several shards", urlOf: shardsUrlOf },
];
