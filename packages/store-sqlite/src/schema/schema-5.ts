/**
 * `inherits_from` is the collection from which an asset takes the facts in `inherits`, bits of core's `inheritable`.
 * `content` is what a document adds to the assets that name it, as `contentParts` makes it; null where that is nothing.
 * Assets show it as soon as it is written: no row has to be marked.
 */
export const schema5 = `
DROP INDEX offchain_unshown;
ALTER TABLE offchain DROP COLUMN shown;
ALTER TABLE offchain ADD COLUMN content TEXT;
ALTER TABLE asset ADD COLUMN inherits_from BLOB;
ALTER TABLE asset ADD COLUMN inherits INTEGER NOT NULL DEFAULT 0;
CREATE INDEX asset_inherits ON asset (inherits_from) WHERE inherits_from IS NOT NULL;`;
