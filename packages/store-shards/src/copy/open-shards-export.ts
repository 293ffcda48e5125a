import type { StoreExport, StoreRows, StoreTable } from "@lamplight/core";
import { LamplightError } from "@lamplight/errors";
import { assertStoreOfShards, openShardExports, parsePostgresUrl } from "@lamplight/store-postgres";
import { parseShardsUrl } from "../location.ts";
import { openShardsStoreWith } from "../writer/open-shards-store.ts";
import { mergePages } from "./merge-pages.ts";

/**
 * Exports a store of several shards. Rows that are behind are written first, which needs the writer's lock.
 *
 * @throws LamplightError `STORE__LOCKED` while another process writes and rows are behind; `STORE__OTHER_SHARD`, and
 * those of a store in PostgreSQL
 */
export const openShardsExport = async (url: string): Promise<StoreExport> => {
  const { coordinator, shards } = parseShardsUrl(url);
  await assertStoreOfShards(coordinator, shards);
  let opened = await openShardExports(coordinator, shards);
  if (opened === null) {
    await settle(url);
    opened = await openShardExports(coordinator, shards);
  }
  if (opened === null)
    throw new LamplightError("STORE__LOCKED", { store: parsePostgresUrl(coordinator).name });
  return new ShardsExport(opened);
};

const settle = async (url: string): Promise<void> => {
  const store = await openShardsStoreWith({ url, mode: "write", create: false }, (settling) => settling);
  try {
    await store.settle();
  } finally {
    await store.close();
  }
};

class ShardsExport implements StoreExport {
  readonly head: StoreExport["head"];
  readonly #databases: readonly StoreExport[];

  /** @param databases - the coordinator, which has the head, off-chain documents and states of trees, then the shards */
  constructor(databases: readonly StoreExport[]) {
    this.#databases = databases;
    this.head = databases[0]!.head;
  }

  pages<Table extends StoreTable>(table: Table): AsyncIterable<readonly StoreRows[Table][]> {
    const walks = this.#databases.map((database) => database.pages(table));
    return mergePages<StoreRows[Table]>(walks, orders[table]);
  }

  async close(): Promise<void> {
    await Promise.all(this.#databases.map((database) => database.close()));
  }
}

type Orders = { readonly [Table in StoreTable]: (a: StoreRows[Table], b: StoreRows[Table]) => number };

const byBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);

const FIRST_BIT = 0x80;

/** Addresses by their prefix as a signed number: those with the first bit come first. */
const bySignedPrefix = (a: Uint8Array, b: Uint8Array): number =>
  (b[0]! & FIRST_BIT) - (a[0]! & FIRST_BIT) || byBytes(a, b);

/** The order in which each database exports its rows, as far as rows of two of them may follow each other. */
const orders: Orders = {
  accounts: (a, b) => bySignedPrefix(a.current.address, b.current.address),
  links: (a, b) => byBytes(a.target, b.target),
  ledger: (a, b) => byBytes(a.key, b.key) || a.kind.localeCompare(b.kind),
  assetsSeen: (a, b) => byBytes(a.id, b.id),
  editions: (a, b) => byBytes(a.parent, b.parent),
  assets: (a, b) => a.ordinal - b.ordinal,
  assetsRemoved: (a, b) => a.changeSeq - b.changeSeq,
  // The coordinator has all of them.
  documents: () => 0,
};
