import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readContract } from "../read-contract.ts";
import { formsOfContract } from "./contract-forms.ts";
import { formsOfTypes } from "./type-forms.ts";

const typesFile = new URL("../../../../packages/contract/src/generated/types.ts", import.meta.url).pathname;
const expected = formsOfContract(readContract());
const names = [...expected.keys()];
const scratch = mkdtempSync(join(tmpdir(), "lamplight-drift-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Names of the types that no longer say what the contract says. */
const driftAfter = (from: string, to: string): readonly string[] => {
  const text = readFileSync(typesFile, "utf8");
  expect(text).toContain(from);
  const file = join(scratch, "types.ts");
  writeFileSync(file, text.replace(from, to));
  const forms = formsOfTypes(file, names);
  return names.filter((name) => JSON.stringify(forms.get(name)) !== JSON.stringify(expected.get(name)));
};

describe("the generated types", () => {
  test("say what the contract says, every one", () => {
    const forms = formsOfTypes(typesFile, names);
    for (const name of names) expect(forms.get(name), name).toEqual(expected.get(name));
  });

  test("are seen to drift when a member becomes optional", () => {
    expect(driftAfter("  decimals: number;", "  decimals?: number;").length).toBeGreaterThan(0);
  });

  test("are seen to drift when a word is lost", () => {
    expect(driftAfter(' | "processed"', "")).toContain("Commitment");
  });

  test("are seen to drift when a u64 is narrowed", () => {
    expect(driftAfter("  lamports: number | bigint;", "  lamports: number;")).toContain("Account");
  });
});
