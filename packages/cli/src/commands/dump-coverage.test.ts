import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expectDumpCoverage } from "../../test/dump-coverage.ts";
import { dumpCoverage } from "./declared-coverage.ts";
import { filtersOf, scopeOf } from "@lamplight/runtime/follow";

test("dumps in a file cover the addresses they hold, and add up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-dumps-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await expectDumpCoverage(`sqlite:${join(folder, "index.db")}`);
});

test("a store of dumps is not followed: nothing would keep the dumped accounts up to date", () => {
  const program = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
  const targets = { programs: [program], accounts: [], mints: [], trees: [] };
  expect(() => scopeOf(dumpCoverage, targets)).toThrow("a store of account dumps cannot follow an RPC node");
  expect(() => filtersOf({ ...dumpCoverage, programs: [program] } as never)).toThrow(
    "a store of account dumps cannot follow a stream",
  );
});
