import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { isLamplightError } from "@lamplight/errors";
import { listDumpFiles } from "./list-dump-files.ts";
import { type DumpOptions, readAccountDumps } from "./read-account-dumps.ts";

const u64MaxText = "18446744073709551615";
const system = "11111111111111111111111111111111";
const addressOf = (byte: number): string => encodeAddress(new Uint8Array(32).fill(byte));

const cliForm = (byte: number, more = ""): string =>
  `{"pubkey":"${addressOf(byte)}","account":{"data":["AQID","base64"],"executable":false,"lamports":${byte},` +
  `"owner":"${system}","rentEpoch":${u64MaxText}${more}}}`;
const flatForm = (byte: number, more = ""): string =>
  `{"pubkey":"${addressOf(byte)}","slot":77,"writeVersion":3,"owner":"${system}","lamports":"${u64MaxText}",` +
  `"executable":true,"rentEpoch":"${u64MaxText}","space":3,"data":"AQID"${more}}`;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-dumps-"));
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
  options: Partial<DumpOptions> = {},
): Promise<{ accounts: Account[]; bad: string[]; batches: number[] }> => {
  const bad: string[] = [];
  const accounts: Account[] = [];
  const batches: number[] = [];
  const onBad: DumpOptions["onBad"] = (error) => bad.push(relative(folder, error.message));
  for await (const batch of readAccountDumps(paths, { onBad, ...options })) {
    accounts.push(...batch.accounts);
    batches.push(batch.accounts.length);
  }
  return { accounts, bad, batches };
};

describe("readAccountDumps", () => {
  test("reads the nested form exactly, with the default slot", async () => {
    const path = await write("one.json", cliForm(7));
    const { accounts, bad } = await load([path]);
    expect(bad).toEqual([]);
    expect(accounts).toEqual([
      {
        address: new Uint8Array(32).fill(7),
        programOwner: new Uint8Array(32),
        lamports: 7n,
        executable: false,
        rentEpoch: 2n ** 64n - 1n,
        data: Uint8Array.of(1, 2, 3),
        slot: 1,
        writeVersion: 0,
      },
    ]);
    expect((await load([path], { defaultSlot: 500 })).accounts[0]?.slot).toBe(500);
  });

  test("reads the flat form with its own slot and write version", async () => {
    const path = await write("one.json", flatForm(9));
    const { accounts } = await load([path], { defaultSlot: 500 });
    expect(accounts[0]).toMatchObject({
      slot: 77,
      writeVersion: 3,
      lamports: 2n ** 64n - 1n,
      executable: true,
    });
  });

  test("enters folders in the order of names and leaves other files alone", async () => {
    await write("b/2.json", flatForm(3));
    await write("a.json", cliForm(1));
    await write("b/1.jsonl", flatForm(2));
    await write("b/README.md", "not a dump");
    await symlink(folder, join(folder, "b", "loop"));
    const { accounts, bad } = await load([folder]);
    expect(bad).toEqual([]);
    expect(accounts.map((account) => account.address[0])).toEqual([1, 2, 3]);
  });

  test("reads arrays, and one account per line under any name, blank and CRLF lines included", async () => {
    const array = await write("array.json", `[${cliForm(1)},\n${flatForm(2)}]`);
    const lines = await write("lines.txt", `${cliForm(3)}\r\n\r\n${flatForm(4)}\n`);
    const single = await write("single.json", `${cliForm(5)}\n\n`);
    const { accounts, bad } = await load([array, lines, single]);
    expect(bad).toEqual([]);
    expect(accounts.map((account) => account.address[0])).toEqual([1, 2, 3, 4, 5]);
  });

  test("bounds batches and ends with the final progress", async () => {
    const path = await write("many.ndjson", Array.from({ length: 10 }, (_, i) => cliForm(i + 1)).join("\n"));
    expect((await load([path], { batchAccountsLimit: 4 })).batches).toEqual([4, 4, 2]);
    expect((await load([path], { batchAccountsLimit: 5 })).batches).toEqual([5, 5, 0]);
    let last;
    for await (const batch of readAccountDumps([path], { onBad: () => {} })) last = batch;
    expect(last).toMatchObject({ filesRead: 1, filesTotal: 1 });
    expect(last?.bytesRead).toBe(last?.bytesTotal);
  });

  test("names file, line or item and reason of what is broken, and loads the rest", async () => {
    await write("a-array.json", `[${cliForm(1)},{"pubkey":5}]`);
    await write("b-lines.ndjson", `${cliForm(2)}\n{"pubkey":\n${flatForm(3)}`);
    await write("c-text.json", "hello");
    await write("d-empty.json", "");
    await write("e-latin.json", Uint8Array.of(34, 0xe9, 34));
    await write("f-good.json", flatForm(4));
    const { accounts, bad } = await load([folder]);
    expect(accounts.map((account) => account.address[0])).toEqual([1, 2, 3, 4]);
    expect(bad).toHaveLength(5);
    expect(bad[0]).toBe("a-array.json: item 2: pubkey must be base58 text, got 5");
    expect(bad[1]).toMatch(/^b-lines\.ndjson:2: is not JSON: /);
    expect(bad[2]).toMatch(/^c-text\.json: is not JSON: /);
    expect(bad[3]).toMatch(/^d-empty\.json: is not JSON: /);
    expect(bad[4]).toBe("e-latin.json: is not UTF-8 text");
  });

  test("skips a line beyond the limit without holding it, and reads on behind it", async () => {
    const path = await write("long.ndjson", `${cliForm(1)}\n"${"x".repeat(15_000_000)}"\n${cliForm(2)}`);
    const { accounts, bad } = await load([path]);
    expect(accounts).toHaveLength(2);
    expect(bad).toEqual(["long.ndjson:2: line is longer than 14046552 bytes"]);
  });

  test("refuses a path that does not exist before anything is read", async () => {
    const path = join(folder, "nowhere");
    const error: unknown = await load([path]).catch((cause: unknown) => cause);
    expect(isLamplightError(error, "SOURCE__NO_SUCH_PATH")).toBe(true);
  });
});

describe("listDumpFiles", () => {
  test("takes a file named directly regardless of its name", async () => {
    const path = await write("account.dump", cliForm(1));
    expect(await listDumpFiles([path])).toEqual([{ path, sizeBytes: cliForm(1).length }]);
  });

  test("refuses folders nested without end", async () => {
    await write(`${"d/".repeat(33)}x.json`, cliForm(1));
    await expect(listDumpFiles([folder])).rejects.toThrow("nested deeper than 32");
  });
});

const shared = process.env["LAMPLIGHT_SHARED"] ?? resolve(import.meta.dirname, "../../../../../shared");
const missing = !existsSync(join(shared, "accounts"));
if (missing) console.warn(`skipped: no shared test data in ${shared}`);

describe.skipIf(missing)("readAccountDumps on real dumps", () => {
  test("reads every account of both forms", async () => {
    const nested = await load([join(shared, "accounts/kit"), join(shared, "accounts/kit-extra")]);
    expect(nested.bad).toEqual([]);
    expect(nested.accounts).toHaveLength(44);
    expect(nested.accounts.some((account) => account.rentEpoch === 2n ** 64n - 1n)).toBe(true);
    expect(nested.accounts.some((account) => account.lamports === 500_000_000_000_000_000n)).toBe(true);
    const flat = await load([join(shared, "das-cases/token-metadata/asset_parsing/accounts")]);
    expect(flat.bad).toEqual([]);
    expect(flat.accounts.length).toBeGreaterThan(2);
  });
});
