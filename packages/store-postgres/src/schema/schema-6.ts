/**
 * Pages of a delegate come in the order of an index. The indexes have expressions for address and mint. So neither the
 * key of all accounts nor the other index can take the place of one, regardless of the statistics.
 */
export const schema6 = `
DROP INDEX account_delegate;
CREATE INDEX account_delegate ON account (delegate, program, (address || ''::bytea)) WHERE delegate IS NOT NULL;
CREATE INDEX account_delegate_mint ON account ((delegate || delegate_mint), program, (address || ''::bytea))
WHERE (delegate || delegate_mint) IS NOT NULL;`;
