import { existsSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { Suite } from "../outcome.ts";
import { overruled } from "../overruled.ts";
import { runSuite } from "../run-suite.ts";
import { openAccountSuite } from "./accounts.ts";
import { runPlans } from "./asset-indexing.ts";
import { openAssetSuite } from "./assets.ts";
import { bytesOfRecipe } from "./data-recipe.ts";
import { openIngestSuite } from "./ingest.ts";
import { openCopiedLab as openLab } from "../../test/copied-lab.ts";
import { createSnapshotFolder } from "../../test/snapshot-folder.ts";
import { parseTranscript, recordTranscript } from "./transcript-file.ts";
import { openTranscriptSuite } from "./transcripts.ts";
import { openVectorSuite } from "./vectors.ts";

const failuresOf = async (name: string, suite: Suite): Promise<readonly string[]> => {
  const outcomes = await runSuite(suite, { suite: name, only: null, overruled, onOutcome: () => {} });
  expect(outcomes.filter(({ status }) => status === "passed").length).toBeGreaterThan(20);
  return outcomes
    .filter(({ status }) => status === "failed")
    .map((outcome) => [outcome.name, ...outcome.reasons].join("\n"));
};

const ownTranscripts = join(import.meta.dirname, "../../transcripts");

describe("transcripts", () => {
  test("are answered to the letter", async () => {
    const suite = await openTranscriptSuite(ownTranscripts, openLab, { url: null, record: false });
    expect(await failuresOf("transcripts", suite)).toEqual([]);
  });

  test("show errors in at least one of four exchanges", async () => {
    const names = (await readdir(ownTranscripts)).filter((name) => name.endsWith(".io"));
    const texts = await Promise.all(names.map((name) => readFile(join(ownTranscripts, name), "utf8")));
    const responses = texts.flatMap((text) => parseTranscript(text).map(({ response }) => response ?? ""));
    expect(responses.filter((response) => response.includes('"error":')).length * 4).toBeGreaterThanOrEqual(
      responses.length,
    );
  });
});

describe("ledger snapshots", () => {
  test("of a generated chain are read, loaded and proved", async () => {
    const folder = createSnapshotFolder();
    const outcomes = await runSuite(await openIngestSuite(folder, null), {
      suite: "ingest",
      only: null,
      overruled,
      onOutcome: () => {},
    });
    rmSync(folder, { recursive: true });
    expect(outcomes.map(({ name, status, reasons }) => [name.split("/")[0], status, reasons])).toEqual([
      ["read", "passed", []],
      ["load", "passed", []],
      ["read", "passed", []],
      ["load", "passed", []],
      ["manifest", "passed", []],
    ]);
  });
});

describe("parseTranscript", () => {
  const text =
    '// what it shows\n// in two lines\n:: Solana-Client: x\n>> {"id":1}\n<< {}\n\n// empty\n>> []\n<<\n';

  test("reads intent, headers, request and response", () => {
    expect(parseTranscript(text)).toEqual([
      {
        line: 4,
        intent: "what it shows in two lines",
        headers: ["Solana-Client: x"],
        request: '{"id":1}',
        response: "{}",
      },
      { line: 8, intent: "empty", headers: [], request: "[]", response: "" },
    ]);
    expect(parseTranscript(">> {}")[0]?.response).toBeNull();
  });

  test("names the line of what it does not understand", () => {
    expect(() => parseTranscript("// a\nhello")).toThrow("line 2: neither");
    expect(() => parseTranscript("<< {}")).toThrow("line 1: a response without a request");
  });

  test("records answers in place", () => {
    expect(recordTranscript(text, ["{}", ""])).toBe(text);
    expect(recordTranscript("// a\n>> {}\n", ["[]"])).toBe("// a\n>> {}\n<< []\n");
  });
});

const index = (order: string, ...units: string[]) => ({ index: { order, units } });
const unitsOf = (plan: ReturnType<typeof runPlans>[number]) =>
  plan.steps.map(({ step }) => (step["index"] as { units?: unknown } | undefined)?.units ?? "call");

describe("runPlans", () => {
  test("tries every order of units, and each part between resets on its own", () => {
    const plans = runPlans([
      index("all-permutations", "a", "b", "c"),
      { call: {} },
      { reset: true },
      index("as-written", "d", "e"),
    ]);
    expect(plans).toHaveLength(7);
    expect(new Set(plans.slice(0, 6).map((plan) => JSON.stringify(unitsOf(plan)))).size).toBe(6);
    expect(plans[6]?.steps.map(({ number }) => number)).toEqual([4]);
    expect(plans[6]).toMatchObject({ label: "" });
  });

  test("refuses more orders than it can run", () => {
    expect(() => runPlans([index("all-permutations", ..."abcdefg")])).toThrow("more than 720 orders");
  });
});

describe("bytesOfRecipe", () => {
  test("makes bytes from words", () => {
    const bytes = bytesOfRecipe(
      "u8 1; u64 3; 4 bytes all zero except byte 0 = 0x07 and byte 3 = 0x80; 1 bytes all zero",
    );
    expect([...bytes]).toEqual([1, 3, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0x80, 0]);
    expect(() => bytesOfRecipe("some bytes")).toThrow("recipe cannot be decoded");
  });
});

const shared = resolve(process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared"));
const recordedSnapshots = join(shared, "fixtures");
const isMissing = ["accounts", "das-cases", "fixtures", "vectors"].some(
  (name) => !existsSync(join(shared, name)),
);
if (isMissing) console.warn(`skipped: ${shared} is missing, so recorded cases are not run`);

describe.skipIf(isMissing)("recorded cases", () => {
  test("of accounts hold", async () => {
    expect(await failuresOf("accounts", await openAccountSuite(join(shared, "accounts"), openLab))).toEqual(
      [],
    );
  });

  // Hundreds of runs, each on a store file of its own: seconds on a quiet machine, more on a busy one.
  test("of assets hold", { timeout: 1_800_000 }, async () => {
    expect(await failuresOf("assets", await openAssetSuite(join(shared, "das-cases"), openLab))).toEqual([]);
  });

  test("of ledger snapshots hold", async () => {
    const outcomes = await runSuite(await openIngestSuite(recordedSnapshots, null), {
      suite: "ingest",
      only: null,
      overruled,
      onOutcome: () => {},
    });
    expect(outcomes.length).toBeGreaterThan(10);
    expect(outcomes.filter(({ status }) => status !== "passed")).toEqual([]);
  });

  test("of vectors hold", async () => {
    expect(await failuresOf("vectors", await openVectorSuite(join(shared, "vectors"), openLab))).toEqual([]);
  });
});
