/**
 * Criteria of few values are answered by the search index in memory. SQL filters for them only in a small store, so that
 * their indexes cost every commit more than they saved.
 */
export const schema7 = `
DROP INDEX asset_interface;
DROP INDEX asset_owner_model;
DROP INDEX asset_royalty_model;
DROP INDEX asset_frozen;
DROP INDEX asset_compressed;
DROP INDEX asset_compressible;
DROP INDEX asset_burnt;
DROP INDEX asset_creator_verified;`;
