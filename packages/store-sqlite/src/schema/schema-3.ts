/** Trees of which changes are missing, reported to every view; a few of many, so that reporting it costs nothing. */
export const schema3 = `
CREATE TABLE incomplete_tree (
  tree BLOB PRIMARY KEY,
  complete_through_seq INTEGER NOT NULL,
  highest_seq INTEGER NOT NULL,
  account_seq INTEGER
) STRICT, WITHOUT ROWID;`;
