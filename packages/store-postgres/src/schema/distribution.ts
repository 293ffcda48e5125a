/**
 * How the tables lie on a distributed PostgreSQL (Citus): rows of the same key on the same node, small tables on every
 * node. The schema and every statement keep to its rules whether they are used or not (`distribution.test.ts`).
 */
export const distribution: Readonly<Record<string, { readonly by: string } | "everywhere">> = {
  account: { by: "address" },
  tombstone: { by: "address" },
  last_life: { by: "address" },
  holding: { by: "token_owner" },
  link: { by: "target" },
  ledger: { by: "key" },
  asset: { by: "id" },
  asset_document: { by: "id" },
  asset_creator: { by: "id" },
  asset_group: { by: "id" },
  asset_seen: { by: "id" },
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
