import { openSqliteReader } from "@lamplight/store-sqlite";
import { test } from "vitest";
import { expectEditionsOnForks } from "../../test/editions-on-forks.ts";
import { openTestStore } from "../../test/open-test-store.ts";

test.each([1, 2, 3, 4, 5, 6])("seed %i: every page at every commitment is that of the list", async (seed) => {
  const { store, file, close } = openTestStore();
  const reader = openSqliteReader({ file });
  await expectEditionsOnForks({ seed, slots: 24, store, openViews: async () => reader });
  reader.close();
  await close();
});
