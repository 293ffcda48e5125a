/**
 * Removes nodes of trees (2) as earlier versions kept them, row by row. The state of keeping them goes with them: its key is
 * zero bytes. A store without it has none, and is not searched for them.
 */
export const schema11 = `
DELETE FROM ledger WHERE kind = 2 AND EXISTS (
  SELECT FROM ledger WHERE kind = 2 AND key = decode(repeat('00', 32), 'hex')
);`;
