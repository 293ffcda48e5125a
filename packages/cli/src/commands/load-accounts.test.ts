import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import { type Account, type Coverage, reads } from "@lamplight/core";
import { demoAddresses, demoChain } from "@lamplight/devchain";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import { dumpCoverage } from "./declared-coverage.ts";
import { loadAccounts, summaryLines } from "./load-accounts.ts";

const whole: Coverage = { kind: "whole" };

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lamplight-load-accounts-"));
  file = join(folder, "index.db");
});
afterEach(() => rm(folder, { recursive: true }));

const dumpOf = (account: Account, withSlot = true): string =>
  JSON.stringify({
    pubkey: encodeAddress(account.address),
    ...(withSlot ? { slot: account.slot, writeVersion: account.writeVersion } : {}),
    owner: encodeAddress(account.programOwner),
    lamports: String(account.lamports),
    executable: account.executable,
    rentEpoch: String(account.rentEpoch),
    space: account.data.length,
    data: Buffer.from(account.data).toString("base64"),
  });

const chainAccounts = (): readonly Account[] => [...demoChain()].flatMap(({ accounts }) => accounts);

/** Writes the demo chain as one account per line. */
const writeChain = async (): Promise<string> => {
  const path = join(folder, "chain.ndjson");
  await writeFile(
    path,
    chainAccounts()
      .map((account) => dumpOf(account))
      .join("\n"),
  );
  return path;
};

const load = (...args: readonly string[]) =>
  runCommand(["load", "accounts", ...args, "--store", `sqlite:${file}`, "--json"]).then(
    ({ exitCode, stdout, stderr }) => ({
      exitCode,
      stderr,
      summary: stdout === "" ? null : (JSON.parse(stdout) as Record<string, unknown>),
    }),
  );

const readStore = async <T>(read: (view: Awaited<ReturnType<typeof openView>>["view"]) => T): Promise<T> => {
  const { view, close } = await openView();
  try {
    return read(view);
  } finally {
    close();
  }
};

const openView = async () => {
  const reader = openSqliteReader({ file });
  const view = await reader.openView("finalized");
  const close = (): void => {
    view.close();
    reader.close();
  };
  return { view, close };
};

const coverageOf = (): Promise<Coverage> => readStore(({ coverage }) => coverage);

describe("lamplight load accounts", () => {
  test("loads a chain, newest versions winning, and changes nothing when it is loaded again", async () => {
    const path = await writeChain();
    const first = await load(path, "--covers", "whole");
    expect(first.exitCode).toBe(0);
    // A slow machine prints its progress there, too.
    expect(first.stderr).not.toContain("note");
    expect(first.summary).toMatchObject({ event: "loaded", accounts: 2222, files: 1, bad: 0, isWhole: true });
    expect(await load(path)).toMatchObject({
      exitCode: 0,
      summary: { accountsChanged: 0, assetsChanged: 0, isWhole: true },
    });
    const last = chainAccounts().at(-1);
    expect(await readStore(({ slot }) => slot)).toBe(last?.slot);
    const clock = await readStore((view) => view.read(reads.account(last?.address ?? new Uint8Array(32))));
    expect(await clock).toEqual(last);
    expect(await coverageOf()).toEqual({ kind: "whole" });
  });

  test("gives accounts without a slot the one that is named, 1 by default", async () => {
    const path = join(folder, "one.json");
    await writeFile(path, dumpOf(chainAccounts()[0]!, false));
    await load(path);
    expect(await readStore(({ slot }) => slot)).toBe(1);
    await load(path, "--slot", "77");
    expect(await readStore(({ slot }) => slot)).toBe(77);
  });

  test("names each bad line and loads the others, which the store then covers", async () => {
    const path = join(folder, "some.ndjson");
    const [first, second] = chainAccounts();
    await writeFile(path, `${dumpOf(first!)}\n{"pubkey":"x"}\nnonsense\n${dumpOf(second!)}`);
    const { exitCode, stderr, summary } = await load(path);
    expect(exitCode).toBe(1);
    const notes = stderr.trim().split("\n");
    expect(notes.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: "note", text: `${path}:2: pubkey "x" is not an address: WrongSize` },
      { event: "note", text: expect.stringContaining(`${path}:3: is not JSON: `) as string },
    ]);
    expect(summary).toMatchObject({ accounts: 2, bad: 2, isWhole: false });
    expect(await coverageOf()).toEqual(dumpCoverage);
    expect((await load(path, "--covers", "whole")).summary).toMatchObject({ isWhole: true });
  });

  test("covers nothing by a dump of nothing, and what it is declared to cover beyond its addresses", async () => {
    const empty = join(folder, "empty.ndjson");
    await writeFile(empty, "nonsense");
    await load(empty);
    expect(await coverageOf()).toEqual({ ...dumpCoverage, dumps: undefined });
    const path = await writeChain();
    await load(path);
    await load(path, "--covers", `mint:${demoAddresses.mint}`);
    expect(await coverageOf()).toEqual({ ...dumpCoverage, mints: [demoAddresses.mint] });
    await load(path, "--covers", "nothing");
    expect(await coverageOf()).toEqual({ ...dumpCoverage, mints: [demoAddresses.mint] });
  });

  test("makes no store when a path is missing, and distinguishes a folder from a store", async () => {
    const missing = join(folder, "missing");
    expect(await load(missing)).toMatchObject({
      exitCode: 1,
      stderr: `lamplight: ${missing} does not exist\n`,
    });
    expect(existsSync(file)).toBe(false);
    await mkdir(file);
    const { exitCode, stderr } = await load(await writeChain());
    expect([exitCode, stderr]).toEqual([
      1,
      `lamplight: ${file} is not a Lamplight store: a folder; name another store, or a new one\n`,
    ]);
  });

  test("says in one line what is no JSON, regardless of what the file holds", async () => {
    const path = join(folder, "odd.json");
    await writeFile(path, "oh\n\u001b[2Jno");
    const { stderr } = await runCommand(["load", "accounts", path, "--store", `sqlite:${file}`]);
    expect(stderr).toMatch(/^[^\n]*odd\.json: is not JSON: [\x20-\x7e]*\n$/u);
  });

  test("declares what the command line says the store covers", async () => {
    const path = await writeChain();
    await load(path, "--covers", `mint:${demoAddresses.mint}`);
    expect(await coverageOf()).toEqual({
      kind: "filtered",
      programs: [],
      owners: [],
      mints: [demoAddresses.mint],
      collections: [],
    });
  });

  test("finishes the batch under way when it is stopped, and a repetition finishes the load", async () => {
    const path = join(folder, "long.ndjson");
    const account = chainAccounts()[0]!;
    const lines = Array.from({ length: 5000 }, (_, index) => {
      const address = new Uint8Array(32);
      new DataView(address.buffer).setUint32(28, index + 1);
      return dumpOf({ ...account, address });
    });
    await writeFile(path, lines.join("\n"));
    const options = {
      paths: [path],
      store: `sqlite:${file}`,
      defaultSlot: 1,
      declaration: whole,
    };
    const surroundings = { say: expect.fail, progress: { update: () => {}, end: () => {} } };
    const stopped = await loadAccounts(options, { ...surroundings, signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ accounts: 4096, accountsChanged: 4096, stopped: true, isWhole: false });
    expect(await readStore(({ slot }) => slot)).toBe(account.slot);
    const { signal } = new AbortController();
    const repeated = await loadAccounts(options, { ...surroundings, signal });
    expect(repeated).toMatchObject({ accounts: 5000, accountsChanged: 904, stopped: false, isWhole: true });
  });

  test.each([
    [["load", "accounts"], "--store sqlite:FILE is missing"],
    [["load", "accounts", "--store", "sqlite:x.db"], "no file or folder is named"],
    [
      ["load", "accounts", "x", "--store", "sqlite:x.db", "--slot", "-1"],
      '--slot must be a whole number, got "-1"',
    ],
    [
      ["load", "accounts", "x", "--store", "sqlite:x.db", "--slot", "1.5"],
      '--slot must be a whole number, got "1.5"',
    ],
    [
      ["load", "accounts", "x", "--store", "sqlite:x.db", "--covers", "all"],
      "--covers takes whole, nothing, or",
    ],
    [["load", "accounts", "x", "--store", "sqlite:x.db", "--bogus"], "Unknown option '--bogus'"],
  ])("refuses %j with exit code 2", async (args, reason) => {
    const { exitCode, stderr } = await runCommand(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(reason) });
  });

  test("refuses a path that is not there in one sentence", async () => {
    const path = join(folder, "nowhere");
    expect(await load(path)).toEqual({
      exitCode: 1,
      stderr: `lamplight: ${path} does not exist\n`,
      summary: null,
    });
  });
});

describe("summaryLines", () => {
  test("says in sentences what was loaded and what was not", () => {
    const summary = {
      accounts: 5,
      accountsChanged: 4,
      assetsChanged: 2,
      files: 3,
      bad: 1,
      slot: 9,
      seconds: 1.26,
    };
    expect(summaryLines({ ...summary, stopped: true, isWhole: false }, "sqlite:x.db")).toEqual([
      "5 accounts from 3 files in 1.3 s: 4 account and 2 asset changes; sqlite:x.db is at slot 9",
      "1 bad file, line or item was left out",
      "stopped before the end; load again to finish",
      "listings answer from what the store covers, absent accounts are refused; a dump of the whole chain needs --covers whole",
    ]);
  });
});

const shared = resolve(process.env["LAMPLIGHT_SHARED"] ?? join(import.meta.dirname, "../../../../../shared"));
const isMissing = !existsSync(join(shared, "accounts/kit"));
if (isMissing) console.warn(`skipped: ${shared} is missing, so real dumps are not loaded`);

describe.skipIf(isMissing)("lamplight load accounts on real dumps", () => {
  test("loads both forms, and changes nothing when they are loaded again", async () => {
    const paths = ["accounts/kit", "accounts/kit-extra", "das-cases/editions/get_nft_editions/accounts"];
    const full = paths.map((path) => join(shared, path));
    expect(await load(...full)).toMatchObject({ exitCode: 0, stderr: "", summary: { bad: 0 } });
    expect(await load(...full)).toMatchObject({
      exitCode: 0,
      summary: { accountsChanged: 0, assetsChanged: 0 },
    });
  });
});
