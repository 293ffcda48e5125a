import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { readSqliteCoverageRequest, requestSqliteCoverage } from "./request-coverage.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-coverage-request-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a request is read beside a connection that writes, and a missing file is named", async () => {
  const file = join(folder, "chain.db");
  expect(() => readSqliteCoverageRequest(file)).toThrow(expect.objectContaining({ code: "STORE__MISSING" }));
  const store = await openSqliteStore({ file, mode: "write" });
  try {
    expect(readSqliteCoverageRequest(file)).toBeNull();
    requestSqliteCoverage(file, () => "{}");
    requestSqliteCoverage(file, (known) => {
      expect(readSqliteCoverageRequest(file)).toBe(known);
      return `${known} `;
    });
    expect(readSqliteCoverageRequest(file)).toBe("{} ");
    requestSqliteCoverage(file, () => null);
    expect(readSqliteCoverageRequest(file)).toBeNull();
  } finally {
    await store.close();
  }
});
