import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { decodeAddress, encodeAddress, encodeBase58 } from "@lamplight/codecs";
import { type TreeCoverage, reads } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { exitCodes } from "@lamplight/server/command";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadTransactions, loadTransactionsCommand } from "./load-transactions.ts";

const shared = resolve(process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared"));
const caseFolder = join(shared, "das-cases/cnft-v2/thaw_and_revoke_v2");
const isMissing = !existsSync(caseFolder);
if (isMissing) console.warn(`skipped: ${caseFolder} is missing, so real transactions are not loaded`);

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-load-"));
  file = join(folder, "index.db");
});
afterEach(() => rm(folder, { recursive: true }));

interface Stored {
  readonly slot: number;
  readonly document: unknown;
  readonly incompleteTrees: readonly TreeCoverage[];
}

const readStored = async (id: string): Promise<Stored> => {
  const reader = openSqliteReader({ file });
  try {
    const view = await reader.openView("finalized");
    const asset = await view.read(reads.ownAsset(decodeAddress(id)));
    const { slot, incompleteTrees } = view;
    view.close();
    return { slot, incompleteTrees, document: asset === null ? null : JSON.parse(asset.document) };
  } finally {
    await reader.close();
  }
};

const load = async (
  paths: readonly string[],
): Promise<{ said: string[]; assetsChanged: number; gaps: number }> => {
  const said: string[] = [];
  const summary = await loadTransactions(`sqlite:${file}`, paths, (line) => said.push(line));
  return { said, assetsChanged: summary.assetsChanged, gaps: summary.incompleteTrees.length };
};

interface Case {
  readonly steps: readonly {
    readonly call?: { readonly params: { readonly id: string } };
    readonly expect?: { readonly result: unknown };
  }[];
}

describe.skipIf(isMissing)("lamplight load transactions, with real ones", () => {
  test("ends in the recorded asset from any order of files, says what is missing on the way, and may be repeated", async () => {
    const recorded = JSON.parse(await readFile(join(caseFolder, "case.json"), "utf8")) as Case;
    const call = recorded.steps.find((step) => step.call !== undefined);
    const id = call?.call?.params.id ?? "";
    const transactions = join(caseFolder, "transactions");
    const names = await readdir(transactions);
    const files = names.map((name) => join(transactions, name));
    const sequence = [...files.slice(1), ...files.slice(0, 1)];
    const slots: number[] = [];
    for (const path of sequence) {
      expect((await load([path])).said).toEqual([]);
      slots.push((await readStored(id)).slot);
    }
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    const after = await readStored(id);
    expect(after.document).toEqual(call?.expect?.result);
    expect(after.incompleteTrees).toEqual([]);
    expect(await load([transactions])).toEqual({ said: [], assetsChanged: 0, gaps: 0 });
    expect(await readStored(id)).toEqual(after);
  });

  test("names the tree of which changes are missing until they come", async () => {
    const transactions = join(caseFolder, "transactions");
    const bySlot: { path: string; slot: number }[] = [];
    for (const name of await readdir(transactions)) {
      const path = join(transactions, name);
      bySlot.push({ path, slot: (JSON.parse(await readFile(path, "utf8")) as { slot: number }).slot });
    }
    const inOrder = bySlot.toSorted((a, b) => a.slot - b.slot).map(({ path }) => path);
    const withGap = inOrder.filter((_, index) => index !== inOrder.length - 2);
    expect((await load(withGap)).gaps).toBe(1);
    const before = await readStored(encodeAddress(new Uint8Array(32)));
    expect(before.incompleteTrees).toHaveLength(1);
    expect((await load(inOrder)).gaps).toBe(0);
    expect((await readStored(encodeAddress(new Uint8Array(32)))).incompleteTrees).toEqual([]);
  });
});

const flat = (slot: number, err: object | null): object => ({
  signature: encodeBase58(new Uint8Array(64).fill(slot)),
  slot,
  err,
  accountKeys: [encodeAddress(new Uint8Array(32))],
  instructions: [],
  innerInstructions: [],
});

describe("lamplight load transactions", () => {
  test("loads what can be read, names what cannot, and exits with 1", async () => {
    await writeFile(
      join(folder, "a.json"),
      JSON.stringify([flat(5, null), flat(9, { InstructionError: [] })]),
    );
    await writeFile(join(folder, "b.json"), "{}");
    const { said } = await load([folder]);
    expect(said).toEqual([expect.stringContaining("b.json: is no transaction")]);
    expect((await readStored(encodeAddress(new Uint8Array(32)))).slot).toBe(5);
    expect(await loadTransactionsCommand.run([join(folder, "a.json"), "--store", `sqlite:${file}`])).toBe(
      exitCodes.done,
    );
    expect(await loadTransactionsCommand.run([folder, "--store", `sqlite:${file}`])).toBe(exitCodes.failed);
  });

  test.each([
    [["--store", "sqlite:x.db"], "CLI__USAGE"],
    [["a.json"], "CLI__USAGE"],
    [["a.json", "--shop", "x"], "CLI__USAGE"],
    [[".", "--store", "mysql:x"], "STORE__URL"],
    [["/no/such/file.json", "--store", "sqlite:/no/such/folder/x.db"], "SOURCE__NO_SUCH_PATH"],
    [[".", "--store", "sqlite:/no/such/folder/x.db"], "STORE__MISSING"],
  ])("refuses %j with %s", async (args, code) => {
    const error: unknown = await loadTransactionsCommand.run(args).catch((cause: unknown) => cause);
    expect(isLamplightError(error) ? error.code : error).toBe(code);
  });
});
