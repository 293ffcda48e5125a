// Addresses are 32 bytes, never text. Columns called lamports, supply, number, rent_epoch and lockup_epoch hold a u64
// shifted down by 2^63 (core's `u64-column.ts`); text of the chain is UTF-8 in bytea (columns/text-column.ts).
// Every primary key contains the column its table is distributed by (schema/distribution.ts); nothing else is unique.

const heads = `
CREATE TABLE head (
  id integer PRIMARY KEY CHECK (id = 1),
  slot bigint,
  blockhash text,
  change_seq bigint NOT NULL,
  next_ordinal bigint NOT NULL,
  settings_revision bigint NOT NULL,
  floor_lamports bigint NOT NULL,
  floor_address bytea NOT NULL,
  top_accounts bigint NOT NULL,
  stake_holds bigint NOT NULL,
  writer_epoch bigint NOT NULL
);
CREATE TABLE meta (key text PRIMARY KEY, value text NOT NULL);
CREATE TABLE program (id integer PRIMARY KEY, address bytea NOT NULL);`;

const accounts = `
CREATE TABLE account (
  address bytea PRIMARY KEY,
  lamports bigint NOT NULL,
  slot bigint NOT NULL,
  write_version bigint NOT NULL,
  rent_epoch bigint,
  program integer NOT NULL,
  flags smallint NOT NULL,
  delegate bytea,
  delegate_mint bytea,
  data bytea NOT NULL
) WITH (fillfactor = 85);
ALTER TABLE account ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX account_delegate ON account (delegate, delegate_mint, program) WHERE delegate IS NOT NULL;
CREATE TABLE tombstone (
  address bytea PRIMARY KEY,
  slot bigint NOT NULL,
  write_version bigint NOT NULL,
  rent_epoch bigint,
  program integer NOT NULL,
  flags smallint NOT NULL
);
CREATE TABLE last_life (
  address bytea PRIMARY KEY,
  lamports bigint NOT NULL,
  slot bigint NOT NULL,
  write_version bigint NOT NULL,
  rent_epoch bigint,
  program integer NOT NULL,
  flags smallint NOT NULL,
  data bytea NOT NULL
);
ALTER TABLE last_life ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE TABLE top_account (
  lamports bigint NOT NULL,
  address bytea NOT NULL,
  PRIMARY KEY (lamports, address)
);
CREATE TABLE holding (
  token_owner bytea NOT NULL,
  mint bytea NOT NULL,
  token_account bytea NOT NULL,
  positive boolean NOT NULL,
  PRIMARY KEY (token_owner, mint, token_account)
);
CREATE TABLE stake_hold (
  address bytea PRIMARY KEY,
  lamports bigint NOT NULL,
  lockup_timestamp bigint NOT NULL,
  lockup_epoch bigint NOT NULL,
  listed boolean NOT NULL
);
CREATE INDEX stake_hold_lamports ON stake_hold (lamports, address, lockup_timestamp, lockup_epoch, listed);
CREATE TABLE link (
  target bytea NOT NULL,
  role smallint NOT NULL,
  source bytea NOT NULL,
  PRIMARY KEY (target, role, source)
);
CREATE TABLE ledger (
  kind smallint NOT NULL,
  key bytea NOT NULL,
  tree bytea NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (key, kind)
);
CREATE TABLE incomplete_tree (
  tree bytea PRIMARY KEY,
  complete_through_seq bigint NOT NULL,
  highest_seq bigint NOT NULL,
  account_seq bigint
);`;

const assets = `
CREATE TABLE asset (
  id bytea PRIMARY KEY,
  ord bigint NOT NULL,
  change_seq bigint NOT NULL,
  interface smallint NOT NULL,
  owner_model smallint NOT NULL,
  owner bytea,
  delegate bytea,
  authority bytea,
  supply bigint,
  supply_mint bytea,
  royalty_model smallint NOT NULL,
  basis_points integer NOT NULL,
  compressed boolean NOT NULL,
  compressible boolean NOT NULL,
  frozen boolean NOT NULL,
  burnt boolean NOT NULL,
  mutable boolean NOT NULL,
  name bytea NOT NULL,
  folded_name bytea,
  json_uri bytea NOT NULL,
  json_uri_hash bigint NOT NULL,
  tree bytea,
  leaf_index bigint,
  created_slot bigint NOT NULL,
  updated_slot bigint NOT NULL
);
CREATE INDEX asset_ord ON asset (ord);
CREATE INDEX asset_change_seq ON asset (change_seq);
CREATE INDEX asset_owner ON asset (owner) WHERE owner IS NOT NULL;
CREATE INDEX asset_authority ON asset (authority) WHERE authority IS NOT NULL;
CREATE INDEX asset_delegate ON asset (delegate) WHERE delegate IS NOT NULL;
CREATE INDEX asset_supply_mint ON asset (supply_mint) WHERE supply_mint IS NOT NULL;
CREATE INDEX asset_tree ON asset (tree) WHERE tree IS NOT NULL;
CREATE INDEX asset_supply ON asset (supply, ord) WHERE supply IS NOT NULL;
CREATE INDEX asset_json_uri ON asset (json_uri_hash);
CREATE INDEX asset_interface ON asset (interface, ord);
CREATE INDEX asset_owner_model ON asset (owner_model, ord);
CREATE INDEX asset_royalty_model ON asset (royalty_model, ord);
CREATE INDEX asset_basis_points ON asset (basis_points, ord);
CREATE INDEX asset_frozen ON asset (frozen, ord);
CREATE INDEX asset_compressed ON asset (compressed, ord);
CREATE INDEX asset_compressible ON asset (compressible, ord);
CREATE INDEX asset_burnt ON asset (burnt, ord);
CREATE TABLE asset_removed (change_seq bigint PRIMARY KEY, ord bigint NOT NULL);
CREATE TABLE asset_document (
  id bytea PRIMARY KEY,
  ord bigint NOT NULL,
  document text NOT NULL,
  extras text
);
CREATE INDEX asset_document_ord ON asset_document (ord);
CREATE TABLE asset_creator (
  id bytea NOT NULL,
  ord bigint NOT NULL,
  position smallint NOT NULL,
  share smallint NOT NULL,
  verified boolean NOT NULL,
  creator bytea NOT NULL,
  PRIMARY KEY (id, position)
);
CREATE INDEX asset_creator_creator ON asset_creator (creator, verified, share, ord);
CREATE INDEX asset_creator_verified ON asset_creator (verified, ord);
CREATE TABLE asset_group (
  id bytea NOT NULL,
  ord bigint NOT NULL,
  position smallint NOT NULL,
  verified boolean NOT NULL,
  key bytea NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (id, position)
);
CREATE INDEX asset_group_value ON asset_group (key, value, verified, ord);
CREATE TABLE asset_seen (id bytea PRIMARY KEY, slot bigint NOT NULL);
CREATE TABLE edition (
  parent bytea NOT NULL,
  number bigint NOT NULL,
  address bytea NOT NULL,
  mint bytea NOT NULL,
  PRIMARY KEY (parent, number, address)
);
CREATE INDEX edition_address ON edition (address);
CREATE INDEX edition_mint ON edition (mint);`;

/**
 * Documents fetched from URIs, apart from chain state; `uri_key` is the SHA-256 of the URI, `status` a place in the
 * port's list of statuses, times are milliseconds since 1970.
 */
const offchain = `
CREATE TABLE offchain (
  uri_key bytea PRIMARY KEY,
  uri bytea NOT NULL,
  status smallint NOT NULL,
  json text,
  sha256 bytea,
  etag text,
  last_modified text,
  immutable boolean NOT NULL,
  first_seen_ms bigint NOT NULL,
  fetched_ms bigint,
  due_ms bigint,
  attempts integer NOT NULL,
  last_error text,
  shown boolean NOT NULL
);
CREATE INDEX offchain_new ON offchain (first_seen_ms) WHERE due_ms IS NOT NULL AND fetched_ms IS NULL;
CREATE INDEX offchain_due ON offchain (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX offchain_unshown ON offchain (uri_key) WHERE NOT shown;`;

const firstRows = `
INSERT INTO head VALUES (1, NULL, NULL, 0, 0, 0, -9223372036854775808, '', 0, 0, 0);
INSERT INTO meta VALUES ('store_id', replace(gen_random_uuid()::text, '-', ''));`;

/** The first schema, for an empty one. */
export const schema1: string = [heads, accounts, assets, offchain, firstRows].join("\n");
