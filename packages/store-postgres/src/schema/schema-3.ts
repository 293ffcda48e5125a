/**
 * Openings of the store for writing. A database that is restored to an earlier time and written again repeats
 * numbers. Readers with cached data detect that by the random names of openings.
 */
export const schema3 = `
ALTER TABLE head ADD COLUMN writer_id text NOT NULL DEFAULT '';
CREATE TABLE writer_history (
  epoch bigint PRIMARY KEY,
  id text NOT NULL,
  change_seq bigint NOT NULL
);`;
