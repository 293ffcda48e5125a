/**
 * `content` is what a document adds to the assets that name it, as `contentParts` makes it; null where that is nothing.
 * Assets show it as soon as it is written: no row has to be marked.
 */
export const schema5 = `
DROP INDEX offchain_unshown;
ALTER TABLE offchain DROP COLUMN shown;
ALTER TABLE offchain ADD COLUMN content text;`;
