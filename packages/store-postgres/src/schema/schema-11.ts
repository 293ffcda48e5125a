/**
 * Removes nodes of trees (2) as earlier versions kept them, row by row. A store that keeps nodes has the state of this under
 * a key of zero bytes: they are to be filled again. A store without it has none, and is not searched for them.
 */
export const schema11 = `
DELETE FROM ledger WHERE kind = 2 AND key <> decode(repeat('00', 32), 'hex') AND EXISTS (
  SELECT FROM ledger WHERE kind = 2 AND key = decode(repeat('00', 32), 'hex')
);
UPDATE ledger SET state = '{"after":null,"isFilled":false}' WHERE kind = 2 AND key = decode(repeat('00', 32), 'hex');`;
