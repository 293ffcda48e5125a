/**
 * Removes nodes of trees (2) as earlier versions kept them, row by row. A store that keeps nodes has the state of this under
 * a key of zero bytes: they are to be filled again.
 */
export const schema10 = `
DELETE FROM ledger WHERE kind = 2 AND key <> zeroblob(32);
UPDATE ledger SET state = '{"after":null,"isFilled":false}' WHERE kind = 2;`;
