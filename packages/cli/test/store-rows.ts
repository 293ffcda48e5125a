// Everything a store holds, as lines that are equal for equal contents: to hold one store against another.
import { storeTables } from "@lamplight/core";
import { openStoreExport } from "@lamplight/runtime";

/**
 * Every row of every table, and what the store says of itself, sorted. Numbers that depend only on how many commits it
 * came about are left out: slots may be finalized one by one or several at once.
 */
export const storeRows = async (url: string): Promise<readonly string[]> => {
  const kept = await openStoreExport(url);
  try {
    const { watermark, coverage, holdings } = kept.head;
    const lines = [`head ${text({ watermark, coverage, holdings })}`];
    for (const table of storeTables) {
      if (table === "assetsRemoved") continue;
      for await (const page of kept.pages(table)) {
        for (const row of page) lines.push(`${table} ${text({ ...row, ordinal: null, changeSeq: null })}`);
      }
    }
    return lines.toSorted();
  } finally {
    await kept.close();
  }
};

const text = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    const member = this[name];
    if (member instanceof Uint8Array) return Buffer.from(member).toString("hex");
    return typeof member === "bigint" ? `${member}n` : member;
  });
