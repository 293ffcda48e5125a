import { cachedOf, readPageTwice } from "@lamplight/store-conformance/cached-items";
import { assetOf, slotOf } from "@lamplight/store-conformance/small-chain";
import { expect, test } from "vitest";
import { temporaryFile } from "../../test/temporary-file.ts";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { openSqliteReader } from "./open-sqlite-reader.ts";

// Tests of what is cached and forgotten are in tools/store-conformance.

test("caches nothing where no document adds to an asset: to read one costs no more", async () => {
  const { file, remove } = temporaryFile();
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const { ordinals } = await store.commit(slotOf(1, [], { assets: [assetOf(1), assetOf(2)] }));
  const reader = openSqliteReader({ file });
  await readPageTwice({ reader });
  expect(await cachedOf({ reader }, ordinals)).toBeNull();
  reader.close();
  await store.close();
  remove();
});
