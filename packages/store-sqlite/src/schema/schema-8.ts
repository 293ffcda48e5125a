/** Assets as the rules of another version derive them, where that differs (core's `derivation.ts`). */
export const schema8 = `
CREATE TABLE asset_next (id BLOB PRIMARY KEY, body BLOB NOT NULL) STRICT, WITHOUT ROWID;`;
