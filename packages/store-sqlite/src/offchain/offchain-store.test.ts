import type { OffchainRow } from "@lamplight/core";
import { expect, test } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.ts";
import { temporaryFile } from "../../test/temporary-file.ts";

// Tests of documents that hold for every store are in tools/store-conformance.

const row: OffchainRow = {
  uri: "https://a/1.json",
  status: "failed",
  json: '{"a":1.0}',
  sha256: new Uint8Array(32).fill(255),
  etag: null,
  lastModified: null,
  immutable: false,
  firstSeenMs: 1_700_000_000_000,
  fetchedMs: null,
  dueMs: 1_700_000_000_002,
  attempts: 2,
  lastError: "why",
};

test("off-chain documents and the note of what was seen survive a restart", async () => {
  const { file, remove } = temporaryFile();
  try {
    const before = openSqliteStore({ file, mode: "write" });
    await before.offchain?.writeRows([row]);
    await before.offchain?.writeNotedSeq(7);
    await before.close();
    const after = openSqliteStore({ file, mode: "write" });
    expect(await after.offchain?.readRows([row.uri])).toEqual([row]);
    expect(await after.offchain?.readNotedSeq()).toBe(7);
    await after.close();
  } finally {
    remove();
  }
});
