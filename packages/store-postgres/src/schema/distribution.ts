/**
 * Distribution of the tables where Citus spreads them over its nodes: rows of one key on one node, small tables on every
 * node. The schema and every statement obey its rules in any case (`distribution.test.ts`), for a check or a copy.
 */
export const distribution: Readonly<Record<string, { readonly by: string } | "everywhere">> = {
  account: { by: "address" },
  tombstone: { by: "address" },
  last_life: { by: "address" },
  holding: { by: "token_owner" },
  holder: { by: "mint" },
  holder_count: { by: "mint" },
  link: { by: "target" },
  ledger: { by: "key" },
  asset: { by: "id" },
  asset_document: { by: "id" },
  asset_creator: { by: "id" },
  asset_group: { by: "id" },
  asset_seen: { by: "id" },
  asset_next: { by: "id" },
  edition: { by: "parent" },
  offchain: { by: "uri_key" },
  unrooted_slot: { by: "slot" },
  head: "everywhere",
  meta: "everywhere",
  program: "everywhere",
  top_account: "everywhere",
  stake_hold: "everywhere",
  incomplete_tree: "everywhere",
  asset_removed: "everywhere",
  writer_history: "everywhere",
};
