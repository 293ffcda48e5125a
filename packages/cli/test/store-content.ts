import { type StoreHead, type StoreTable, storeTables } from "@lamplight/core";
import { openStoreExport } from "@lamplight/runtime";

type StoreContent = { head: StoreHead } & Record<StoreTable, unknown[]>;

/** The head and every row of a store, as a copy of it would read them. */
export const contentOf = async (store: string): Promise<StoreContent> => {
  const source = await openStoreExport(store);
  const content = { head: source.head } as StoreContent;
  for (const table of storeTables) {
    content[table] = [];
    for await (const page of source.pages(table)) content[table].push(...page);
  }
  await source.close();
  return content;
};
