import type { Account, AddressBytes } from "@lamplight/core";
import { addressOfKey } from "../columns/account-key.ts";
import { accountRowColumns, decodeAccountRow } from "../columns/account-row.ts";
import { ProgramDictionary } from "../columns/program-dictionary.ts";
import { Connection, type Row } from "../engine/connection.ts";
import { readerPragmas, WRITER_BUSY_MS } from "../engine/settings.ts";
import { BULK_PAGE_ROWS } from "./bulk-settings.ts";

/**
 * Living accounts of some programs in storage order, then those whose prefix another address holds. Every page is a
 * read of its own, so that a writer's log can be emptied in between.
 */
export function* listAccountPages(
  file: string,
  programs: readonly AddressBytes[],
): Generator<readonly Account[]> {
  const connection = new Connection(file, { readOnly: true, busyMs: WRITER_BUSY_MS });
  try {
    for (const pragma of readerPragmas) connection.execute(`PRAGMA ${pragma}`);
    // Every page is read once: mapped, the whole file would end up in the memory of the process.
    connection.execute("PRAGMA mmap_size = 0");
    const dictionary = new ProgramDictionary(connection);
    const ids = programs.flatMap((program) => dictionary.findId(program) ?? []);
    if (ids.length === 0) return;
    const accountOf = (row: Row): Account =>
      decodeAccountRow(addressOfKey(row[0] as bigint, row[1] as Uint8Array), row, 2, dictionary.addressOf);
    for (const table of ["account", "account_collision"]) {
      const page = connection.prepare(
        `SELECT id, tail, ${accountRowColumns} FROM ${table}
WHERE (id, tail) > (?1, ?2) AND program IN (${ids.join(", ")}) ORDER BY id, tail LIMIT ${BULK_PAGE_ROWS}`,
      );
      let rows = page.all(-(2n ** 63n), new Uint8Array(0));
      while (rows.length > 0) {
        yield rows.map(accountOf);
        const last = rows.at(-1) as Row;
        rows = page.all(last[0] as bigint, last[1] as Uint8Array);
      }
    }
  } finally {
    connection.close();
  }
}
