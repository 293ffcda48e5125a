import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { encodeAddress, encodeBase58 } from "@lamplight/codecs";
import type { Transaction } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTransactionFiles } from "./read-transaction-files.ts";

const key = encodeAddress(new Uint8Array(32).fill(1));
const flat = (slot: number): object => ({
  signature: encodeBase58(new Uint8Array(64).fill(slot)),
  slot,
  err: null,
  accountKeys: [key],
  instructions: [],
  innerInstructions: [],
});

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-transactions-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (name: string, text: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
};

const load = async (
  paths: readonly string[],
  limit?: number,
): Promise<{ slots: number[]; bad: string[]; batches: number[]; last: object }> => {
  const bad: string[] = [];
  const all: Transaction[] = [];
  const batches: number[] = [];
  let last = {};
  const options = limit === undefined ? {} : { batchTransactionsLimit: limit };
  const onBad = (error: Error): unknown => bad.push(relative(folder, error.message));
  for await (const { transactions, ...progress } of readTransactionFiles(paths, { onBad, ...options })) {
    all.push(...transactions);
    batches.push(transactions.length);
    last = progress;
  }
  return { slots: all.map(({ slot }) => slot), bad, batches, last };
};

describe("readTransactionFiles", () => {
  test("reads single values, arrays and lines, folders sorted by name, in bounded batches", async () => {
    await write("b/lines.ndjson", `${JSON.stringify(flat(4))}\r\n\n  \n${JSON.stringify(flat(5))}`);
    await write("b/array.json", JSON.stringify([flat(2), flat(3)], null, 2));
    await write("a.json", JSON.stringify(flat(1)));
    await write("notes.txt", "not looked at");
    const { slots, bad, batches, last } = await load([folder], 2);
    expect(slots).toEqual([1, 2, 3, 4, 5]);
    expect(bad).toEqual([]);
    expect(batches).toEqual([2, 2, 1]);
    expect(last).toMatchObject({ filesRead: 3, filesTotal: 3 });
  });

  test("names each bad file, line and item with its reason and reads the rest", async () => {
    await write("1.json", JSON.stringify(flat(1)));
    await write("2.json", '{"slot": 1');
    await write("3.json", Uint8Array.of(0x22, 0xff, 0x22));
    await write("4.json", JSON.stringify([flat(2), {}]));
    await write("5.jsonl", `${JSON.stringify(flat(3))}\n{}\n[]`);
    const { slots, bad } = await load([folder]);
    expect(slots).toEqual([1, 2, 3]);
    expect(bad.map((line) => line.slice(0, 60))).toEqual([
      expect.stringMatching(/^2\.json: is not JSON: /),
      expect.stringMatching(/^3\.json: is not JSON: /),
      expect.stringMatching(/^4\.json: item 2: is no transaction: /),
      expect.stringMatching(/^5\.jsonl:2: is no transaction: |^5\.jsonl.*line 2/),
      expect.stringMatching(/^5\.jsonl:3: the transaction must be an object|^5\.jsonl.*line 3/),
    ]);
  });

  test("takes a block's slot from the end of its file name", async () => {
    const signatures = [encodeBase58(new Uint8Array(64).fill(1))];
    const transaction = { signatures, message: { accountKeys: [key], instructions: [] } };
    const block = JSON.stringify({ parentSlot: 9, transactions: [{ transaction, meta: { err: null } }] });
    await write("block-10.json", block);
    await write("block.json", block);
    const { slots, bad } = await load([folder]);
    expect(slots).toEqual([10]);
    expect(bad).toHaveLength(1);
  });

  test("refuses a path that does not exist before anything is read", async () => {
    await expect(load([join(folder, "absent")])).rejects.toSatisfy((error) =>
      isLamplightError(error, "SOURCE__NO_SUCH_PATH"),
    );
  });
});
