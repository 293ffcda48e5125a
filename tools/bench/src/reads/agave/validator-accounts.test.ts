import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeValidatorAccounts } from "./validator-accounts.ts";

test("every kind of work asks for accounts that a file holds", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-validator-accounts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const work = writeValidatorAccounts(folder, 500, 10);
  const files = new Set(readdirSync(folder));
  expect(files.size).toBeGreaterThan(300);
  for (const [name, calls] of Object.entries(work)) {
    expect(calls.length, name).toBeGreaterThan(0);
    for (const { params } of calls as readonly { params: readonly string[] }[])
      if (name.startsWith("getAccountInfo") || name === "getTokenSupply")
        expect(files, name).toContain(`${params[0]}.json`);
  }
  const [file] = files;
  const { account } = JSON.parse(readFileSync(join(folder, file!), "utf8")) as {
    account: { lamports: number; data: readonly string[] };
  };
  expect(account.lamports).toBeGreaterThan(0);
  expect(account.data[1]).toBe("base64");
});
