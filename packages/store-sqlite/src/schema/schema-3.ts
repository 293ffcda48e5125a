/**
 * Trees with missing changes. Every view reports them. There are few of them among many trees, so a list is cheap.
 */
export const schema3 = `
CREATE TABLE incomplete_tree (
  tree BLOB PRIMARY KEY,
  complete_through_seq INTEGER NOT NULL,
  highest_seq INTEGER NOT NULL,
  account_seq INTEGER
) STRICT, WITHOUT ROWID;`;
