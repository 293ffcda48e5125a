/** The columns of das_api's tables that are filled, with their types in PostgreSQL. Its own migrations make the tables. */
export const dasTables = {
  asset_data: {
    id: "bytea",
    chain_data_mutability: "chain_mutability",
    chain_data: "jsonb",
    metadata_url: "text",
    metadata_mutability: "mutability",
    metadata: "jsonb",
    slot_updated: "bigint",
    raw_name: "bytea",
    raw_symbol: "bytea",
  },
  asset: {
    id: "bytea",
    specification_version: "specification_versions",
    specification_asset_class: "specification_asset_class",
    owner: "bytea",
    owner_type: "owner_type",
    delegate: "bytea",
    frozen: "boolean",
    supply: "numeric",
    supply_mint: "bytea",
    compressed: "boolean",
    compressible: "boolean",
    seq: "bigint",
    tree_id: "bytea",
    leaf: "bytea",
    nonce: "bigint",
    royalty_target_type: "royalty_target_type",
    royalty_target: "bytea",
    royalty_amount: "integer",
    asset_data: "bytea",
    burnt: "boolean",
    slot_updated: "bigint",
    data_hash: "text",
    creator_hash: "text",
  },
  asset_authority: { asset_id: "bytea", authority: "bytea", seq: "bigint", slot_updated: "bigint" },
  asset_creators: {
    asset_id: "bytea",
    creator: "bytea",
    share: "integer",
    verified: "boolean",
    seq: "bigint",
    slot_updated: "bigint",
    position: "smallint",
  },
  asset_grouping: {
    asset_id: "bytea",
    group_key: "text",
    group_value: "text",
    seq: "bigint",
    slot_updated: "bigint",
    verified: "boolean",
    group_info_seq: "bigint",
  },
  tokens: {
    mint: "bytea",
    supply: "numeric",
    decimals: "integer",
    token_program: "bytea",
    mint_authority: "bytea",
    freeze_authority: "bytea",
    slot_updated: "bigint",
  },
} as const;

export type DasTable = keyof typeof dasTables;

/** In the order in which rows refer to each other. */
export const dasTableNames = Object.keys(dasTables) as readonly DasTable[];

/** A value as COPY takes it; null = NULL. */
export type DasValue = string | number | bigint | boolean | Uint8Array | null;
export type DasRow<Table extends DasTable> = Readonly<Record<keyof (typeof dasTables)[Table], DasValue>>;
export type DasRows = { readonly [Table in DasTable]: readonly DasRow<Table>[] };
