import type { Read, ReadView } from "@lamplight/core";
import type { PostgresReader } from "../src/reader/postgres-reader.ts";

/**
 * Opens a finalized view for the time that `use` takes.
 *
 * @param first - the read that opens it, without a transaction; null = it has a transaction
 */
export const withView = async <Result>(
  reader: PostgresReader,
  first: Read | null,
  use: (view: ReadView) => Result | Promise<Result>,
): Promise<Result> => {
  const opening = first === null ? [] : [{ reads: [first], stop: null }];
  const view = await reader.openView("finalized", ...opening);
  try {
    return await use(view);
  } finally {
    view.close();
  }
};
