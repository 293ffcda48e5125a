import type { CopyValue } from "../copy-rows.ts";

/**
 * The columns of das_api's tables that are filled, as its migrations leave them. They have more, all of which may be
 * left out.
 */
export const dasTables = {
  asset_data: {
    id: "bytea PRIMARY KEY",
    chain_data_mutability: "chain_mutability NOT NULL",
    chain_data: "jsonb NOT NULL",
    metadata_url: "varchar(200) NOT NULL",
    metadata_mutability: "mutability NOT NULL",
    metadata: "jsonb NOT NULL",
    slot_updated: "bigint NOT NULL",
    raw_name: "bytea",
    raw_symbol: "bytea",
  },
  asset: {
    id: "bytea PRIMARY KEY",
    specification_version: "specification_versions",
    specification_asset_class: "specification_asset_class",
    owner: "bytea",
    owner_type: "owner_type NOT NULL",
    delegate: "bytea",
    frozen: "boolean NOT NULL",
    supply: "numeric NOT NULL",
    supply_mint: "bytea",
    compressed: "boolean NOT NULL",
    compressible: "boolean NOT NULL",
    seq: "bigint",
    tree_id: "bytea",
    leaf: "bytea",
    nonce: "bigint",
    royalty_target_type: "royalty_target_type NOT NULL",
    royalty_target: "bytea",
    royalty_amount: "integer NOT NULL",
    asset_data: "bytea",
    burnt: "boolean NOT NULL",
    slot_updated: "bigint",
    data_hash: "char(50)",
    creator_hash: "char(50)",
    mint_extensions: "jsonb",
    mpl_core_plugins: "jsonb",
    mpl_core_unknown_plugins: "jsonb",
    mpl_core_collection_num_minted: "integer",
    mpl_core_collection_current_size: "integer",
    mpl_core_plugins_json_version: "integer",
    mpl_core_external_plugins: "jsonb",
    mpl_core_unknown_external_plugins: "jsonb",
    collection_hash: "char(50)",
    asset_data_hash: "char(50)",
    bubblegum_flags: "smallint",
    non_transferable: "boolean",
  },
  asset_authority: {
    asset_id: "bytea NOT NULL UNIQUE",
    authority: "bytea NOT NULL",
    seq: "bigint NOT NULL",
    slot_updated: "bigint NOT NULL",
  },
  asset_creators: {
    asset_id: "bytea NOT NULL",
    creator: "bytea NOT NULL",
    share: "integer NOT NULL",
    verified: "boolean NOT NULL",
    seq: "bigint",
    slot_updated: "bigint",
    position: "smallint NOT NULL",
  },
  asset_grouping: {
    asset_id: "bytea NOT NULL",
    group_key: "text NOT NULL",
    group_value: "text",
    seq: "bigint",
    slot_updated: "bigint",
    verified: "boolean NOT NULL",
    group_info_seq: "bigint",
  },
  tokens: {
    mint: "bytea PRIMARY KEY",
    supply: "numeric NOT NULL",
    decimals: "integer NOT NULL",
    token_program: "bytea NOT NULL",
    mint_authority: "bytea",
    freeze_authority: "bytea",
    slot_updated: "bigint NOT NULL",
  },
  token_accounts: {
    pubkey: "bytea PRIMARY KEY",
    mint: "bytea NOT NULL",
    amount: "bigint NOT NULL",
    owner: "bytea NOT NULL",
    frozen: "boolean NOT NULL",
    delegate: "bytea",
    delegated_amount: "bigint NOT NULL",
    slot_updated: "bigint NOT NULL",
    token_program: "bytea NOT NULL",
  },
  asset_v1_account_attachments: {
    id: "bytea PRIMARY KEY",
    asset_id: "bytea",
    attachment_type: "v1_account_attachments NOT NULL",
    data: "jsonb",
    slot_updated: "bigint NOT NULL",
  },
  cl_items: {
    tree: "bytea NOT NULL",
    node_idx: "bigint NOT NULL",
    leaf_idx: "bigint",
    seq: "bigint NOT NULL",
    level: "bigint NOT NULL",
    hash: "bytea NOT NULL",
  },
} as const;

export type DasTable = keyof typeof dasTables;

/** Names of the tables in the order in which rows refer to each other. */
export const dasTableNames = Object.keys(dasTables) as readonly DasTable[];

export type DasRow<Table extends DasTable> = Readonly<Record<keyof (typeof dasTables)[Table], CopyValue>>;
/** Rows by table. A table without any may be left out. */
export type DasRows = { readonly [Table in DasTable]?: readonly DasRow<Table>[] };
