/**
 * Which openings for writing the store has gone through: a database that is put back to an earlier time and written on
 * gives numbers again, and who kept what it read of them can see it by the random names alone.
 */
export const schema3 = `
ALTER TABLE head ADD COLUMN writer_id text NOT NULL DEFAULT '';
CREATE TABLE writer_history (
  epoch bigint PRIMARY KEY,
  id text NOT NULL,
  change_seq bigint NOT NULL
);`;
