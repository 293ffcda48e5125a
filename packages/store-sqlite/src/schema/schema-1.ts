// Addresses are 32-byte blobs, never text. Columns called lamports, supply, number, rent_epoch and lockup_epoch hold a
// u64 shifted down by 2^63 (core's `u64-column.ts`).

/** Columns of the two account tables; `flags` is explained in core's `account-row.ts`. */
const accountColumns = `
  tail BLOB NOT NULL,
  program INTEGER NOT NULL,
  lamports INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  write_version INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  rent_epoch INTEGER,
  delegate BLOB,
  delegate_mint BLOB,
  data BLOB NOT NULL`;

const delegateIndexes = (table: string): string => `
CREATE INDEX ${table}_delegate ON ${table} (delegate, program) WHERE delegate IS NOT NULL;
CREATE INDEX ${table}_delegate_mint ON ${table} (delegate, delegate_mint, program) WHERE delegate IS NOT NULL;`;

const heads = `
CREATE TABLE head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  slot INTEGER,
  blockhash TEXT,
  change_seq INTEGER NOT NULL,
  next_ordinal INTEGER NOT NULL,
  settings_revision INTEGER NOT NULL,
  floor_lamports INTEGER NOT NULL,
  floor_address BLOB NOT NULL,
  top_accounts INTEGER NOT NULL,
  stake_holds INTEGER NOT NULL
) STRICT;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE program (id INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE) STRICT;`;

const accounts = `
CREATE TABLE account (id INTEGER PRIMARY KEY,${accountColumns}
) STRICT;
CREATE TABLE account_collision (id INTEGER NOT NULL,${accountColumns},
  PRIMARY KEY (id, tail)
) STRICT;
${delegateIndexes("account")}
${delegateIndexes("account_collision")}
CREATE TABLE tombstone (
  id INTEGER NOT NULL,
  tail BLOB NOT NULL,
  program INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  write_version INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  rent_epoch INTEGER,
  life_program INTEGER,
  life_lamports INTEGER,
  life_slot INTEGER,
  life_write_version INTEGER,
  life_flags INTEGER,
  life_rent_epoch INTEGER,
  life_data BLOB,
  PRIMARY KEY (id, tail)
) STRICT;
CREATE TABLE last_life (
  id INTEGER NOT NULL,
  tail BLOB NOT NULL,
  program INTEGER NOT NULL,
  lamports INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  write_version INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  rent_epoch INTEGER,
  data BLOB NOT NULL,
  PRIMARY KEY (id, tail)
) STRICT;
CREATE TABLE top_account (
  lamports INTEGER NOT NULL,
  address BLOB NOT NULL,
  PRIMARY KEY (lamports, address)
) STRICT, WITHOUT ROWID;
CREATE TABLE holding (
  token_owner BLOB NOT NULL,
  mint BLOB NOT NULL,
  token_account BLOB NOT NULL,
  positive INTEGER NOT NULL,
  PRIMARY KEY (token_owner, mint, token_account)
) STRICT, WITHOUT ROWID;
CREATE TABLE stake_hold (
  address BLOB PRIMARY KEY,
  lamports INTEGER NOT NULL,
  lockup_timestamp INTEGER NOT NULL,
  lockup_epoch INTEGER NOT NULL,
  listed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX stake_hold_lamports ON stake_hold (lamports, address, lockup_timestamp, lockup_epoch, listed);
CREATE TABLE link (
  target BLOB NOT NULL,
  role INTEGER NOT NULL,
  source BLOB NOT NULL,
  PRIMARY KEY (target, role, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledger (
  kind INTEGER NOT NULL,
  key BLOB NOT NULL,
  tree BLOB NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;`;

const assets = `
CREATE TABLE asset (
  ord INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  change_seq INTEGER NOT NULL UNIQUE,
  interface INTEGER NOT NULL,
  owner_model INTEGER NOT NULL,
  owner BLOB,
  delegate BLOB,
  authority BLOB,
  supply INTEGER,
  supply_mint BLOB,
  royalty_model INTEGER NOT NULL,
  basis_points INTEGER NOT NULL,
  compressed INTEGER NOT NULL,
  compressible INTEGER NOT NULL,
  frozen INTEGER NOT NULL,
  burnt INTEGER NOT NULL,
  mutable INTEGER NOT NULL,
  name TEXT NOT NULL,
  folded_name TEXT,
  json_uri TEXT NOT NULL,
  json_uri_hash INTEGER NOT NULL,
  tree BLOB,
  leaf_index INTEGER,
  created_slot INTEGER NOT NULL,
  updated_slot INTEGER NOT NULL
) STRICT;
CREATE INDEX asset_owner ON asset (owner) WHERE owner IS NOT NULL;
CREATE INDEX asset_authority ON asset (authority) WHERE authority IS NOT NULL;
CREATE INDEX asset_delegate ON asset (delegate) WHERE delegate IS NOT NULL;
CREATE INDEX asset_supply_mint ON asset (supply_mint) WHERE supply_mint IS NOT NULL;
CREATE INDEX asset_tree ON asset (tree) WHERE tree IS NOT NULL;
CREATE INDEX asset_supply ON asset (supply) WHERE supply IS NOT NULL;
CREATE INDEX asset_json_uri ON asset (json_uri_hash);
CREATE INDEX asset_interface ON asset (interface);
CREATE INDEX asset_owner_model ON asset (owner_model);
CREATE INDEX asset_royalty_model ON asset (royalty_model);
CREATE INDEX asset_basis_points ON asset (basis_points);
CREATE INDEX asset_frozen ON asset (frozen);
CREATE INDEX asset_compressed ON asset (compressed);
CREATE INDEX asset_compressible ON asset (compressible);
CREATE INDEX asset_burnt ON asset (burnt);
CREATE TABLE asset_removed (change_seq INTEGER PRIMARY KEY, ord INTEGER NOT NULL) STRICT;
CREATE TABLE asset_document (ord INTEGER PRIMARY KEY, document TEXT NOT NULL, extras TEXT) STRICT;
CREATE TABLE asset_creator (
  ord INTEGER NOT NULL,
  position INTEGER NOT NULL,
  creator BLOB NOT NULL,
  verified INTEGER NOT NULL,
  share INTEGER NOT NULL,
  PRIMARY KEY (ord, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_creator_creator ON asset_creator (creator, verified, share);
CREATE INDEX asset_creator_verified ON asset_creator (verified);
CREATE TABLE asset_group (
  ord INTEGER NOT NULL,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  verified INTEGER NOT NULL,
  PRIMARY KEY (ord, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_group_value ON asset_group (key, value, verified);
CREATE TABLE asset_seen (id BLOB PRIMARY KEY, slot INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE edition (
  parent BLOB NOT NULL,
  number INTEGER NOT NULL,
  address BLOB NOT NULL UNIQUE,
  mint BLOB NOT NULL,
  PRIMARY KEY (parent, number, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX edition_mint ON edition (mint);`;

/** The first schema, for an empty file. */
export const schema1: string = `${heads}\n${accounts}\n${assets}`;
