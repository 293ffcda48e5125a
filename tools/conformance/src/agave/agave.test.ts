// A real validator over the same accounts, where there is one: answers are the same text, or a decision says why not.

import { findValidator } from "@lamplight/real-chain";
import { describe, expect, test } from "vitest";
import { comparisonLines } from "./report-comparison.ts";
import { runAgainstAgave } from "./run-against-agave.ts";

const validator = findValidator();
if (validator === null)
  console.warn("skipped: no solana-test-validator on PATH or in LAMPLIGHT_VALIDATOR to compare with");
const seed = Number(process.env["LAMPLIGHT_SEED"] ?? 1);

describe.skipIf(validator === null)("a validator", () => {
  test("answers every request with the same text", async () => {
    const comparison = await runAgainstAgave({ validator: validator as string, seed });
    expect(comparison.wrong.length, comparisonLines(comparison).join("\n")).toBe(0);
    expect(comparison.equal).toBeGreaterThan(1000);
  });
});
