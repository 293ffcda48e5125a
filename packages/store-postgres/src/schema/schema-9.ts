/** Assets as the rules of another version derive them, where that differs (core's `derivation.ts`). */
export const schema9 = `
CREATE TABLE asset_next (id bytea PRIMARY KEY, body bytea NOT NULL);`;
