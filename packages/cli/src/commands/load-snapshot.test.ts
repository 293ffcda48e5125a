import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeMint, encodeAddress, isTokenProgram, programAddresses } from "@lamplight/codecs";
import { Random } from "@lamplight/devchain";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ChainArchives, writeChainArchives } from "../../test/chain-archive.ts";
import { runCommand, startCommand } from "../../test/run-command.ts";
import {
  loadSnapshot,
  type LoadSnapshotOptions,
  receiptLines,
  type SnapshotFilter,
} from "@lamplight/runtime/snapshot";
import { findProblems } from "./verify.ts";

const ACCOUNTS = 1500;
/** More with LAMPLIGHT_KILL_RUNS=50. */
const KILL_RUNS = Number(process.env["LAMPLIGHT_KILL_RUNS"] ?? 3);
const KILL_SEED = Number(process.env["LAMPLIGHT_KILL_SEED"] ?? 1);
const COMMAND_MS = 900_000;

let folder = "";
let archives: ChainArchives;
let next = 0;
let file = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-load-snapshot-"));
  archives = writeChainArchives(folder, ACCOUNTS);
});
beforeEach(() => {
  next += 1;
  file = join(folder, `store-${next}.db`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const silent = { update: () => {}, say: () => {}, end: () => {} };
const load = (more: Partial<LoadSnapshotOptions> = {}) =>
  loadSnapshot(
    {
      full: archives.full,
      incremental: archives.incremental,
      store: `sqlite:${file}`,
      filter: null,
      verify: "full",
      ...more,
    },
    silent,
  );

/** Rows of every table that say something about the chain; ordinals and change numbers only count the way. */
const contentOf = (path: string): Readonly<Record<string, readonly string[]>> => {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = (sql: string): string[] => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement
      .all()
      .map((row) =>
        Object.values(row)
          .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value)))
          .join("|"),
      )
      .toSorted();
  };
  const account =
    "id, tail, p.address, lamports, slot, write_version, flags, rent_epoch, delegate, delegate_mint, data";
  try {
    return {
      head: rows(
        "SELECT slot, blockhash, top_accounts, stake_holds, floor_lamports, floor_address FROM head",
      ),
      coverage: rows("SELECT value FROM meta WHERE key = 'coverage'"),
      accounts: rows(
        `SELECT ${account} FROM account JOIN program AS p ON p.id = program`.replace(
          "SELECT id",
          "SELECT account.id",
        ),
      ),
      collisions: rows("SELECT id, tail, data FROM account_collision"),
      holdings: rows("SELECT * FROM holding"),
      nonCirculatingStakes: rows("SELECT * FROM stake_hold"),
      topAccounts: rows("SELECT * FROM top_account"),
      links: rows("SELECT * FROM link"),
      ledger: rows("SELECT * FROM ledger"),
      incompleteTrees: rows("SELECT * FROM incomplete_tree"),
      editions: rows("SELECT * FROM edition"),
      seen: rows("SELECT * FROM asset_seen"),
      assets: rows(
        "SELECT id, interface, owner, supply, name, created_slot, updated_slot, document, extras FROM asset JOIN asset_document USING (ord)",
      ),
      creators: rows(
        "SELECT a.id, c.position, c.creator, c.verified, c.share FROM asset_creator AS c JOIN asset AS a USING (ord)",
      ),
      groups: rows(
        "SELECT a.id, g.position, g.key, g.value, g.verified FROM asset_group AS g JOIN asset AS a USING (ord)",
      ),
      schema: rows("SELECT type, name, sql FROM sqlite_schema"),
    };
  } finally {
    database.close();
  }
};

const problemsOf = async (path: string): Promise<readonly string[]> => {
  const store = openSqliteStore({ file: path, mode: "write" });
  try {
    return await store.checkIntegrity();
  } finally {
    await store.close();
  }
};

const leftovers = (): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith(`store-${next}.db`) && !name.endsWith("-lock"));

describe("loadSnapshot", () => {
  test("makes the store that the same accounts make one by one", async () => {
    const receipt = await load();
    expect(receipt).toMatchObject({
      slot: archives.slot,
      accountsStored: archives.living.length,
      proved: { structure: "proved", capitalization: "proved", accountsHash: "proved", bankHash: "proved" },
    });
    const loaded = contentOf(file);
    expect(await problemsOf(file)).toEqual([]);
    const other = join(folder, "other.db");
    const store = openSqliteStore({ file: other, mode: "write" });
    await createIndexer(store).applyAccounts(archives.living, { slot: archives.slot, blockhash: null });
    await store.writeCoverage({ kind: "whole" });
    await store.close();
    const { head, ...expected } = contentOf(other);
    expect(loaded).toMatchObject(expected);
    expect(head).toHaveLength(1);
    expect(existsSync(`${file}.load`)).toBe(false);
    expect(existsSync(`${file}.search`)).toBe(true);
  });

  test("names the trees of which it holds no leaves, as their accounts count them", async () => {
    const receipt = await load();
    expect(receipt.incompleteTrees).toBe(1);
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    try {
      expect(view.incompleteTrees).toEqual([
        {
          tree: encodeAddress(archives.trees.changed),
          completeThroughSeq: 0,
          highestSeq: 0,
          accountSeq: 7,
        },
      ]);
    } finally {
      view.close();
      reader.close();
    }
  });

  test("finds what was burnt by what is left of it", async () => {
    await load();
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    const burnt = async (id: Uint8Array): Promise<string | undefined> => {
      const document = (await view.assets.findAsset(id))?.document;
      return document === undefined ? undefined : /"interface":"(\w+)".*"burnt":true/.exec(document)?.[1];
    };
    try {
      expect(await burnt(archives.emptied)).toBe("MplCoreAsset");
      const mints = archives.living.filter(({ programOwner, data }) => {
        const mint = isTokenProgram(programOwner) ? decodeMint(data) : null;
        return mint !== null && mint.supply === 0n && mint.decimals === 0 && mint.freezeAuthority !== null;
      });
      expect(mints.length).toBeGreaterThan(3);
      for (const { address } of mints) expect(await burnt(address)).toBe("V1_NFT");
    } finally {
      view.close();
      reader.close();
    }
  });

  test("gives what a collection's assets need, and nothing less", async () => {
    await load();
    const whole = contentOf(file);
    const database = new DatabaseSync(file, { readOnly: true });
    const { value } = database
      .prepare(
        "SELECT value, count(*) AS assets FROM asset_group WHERE verified GROUP BY value ORDER BY assets DESC",
      )
      .get() as { value: string };
    const ids = database
      .prepare("SELECT a.id FROM asset_group JOIN asset AS a USING (ord) WHERE value = ? AND verified")
      .all(value)
      .map((row) => Buffer.from(row["id"] as Uint8Array).toString("hex"));
    database.close();
    const filter: SnapshotFilter = {
      kind: "filtered",
      programs: [],
      owners: [],
      mints: [],
      collections: [value],
    };
    file = join(folder, "collection.db");
    const receipt = await load({ filter });
    expect(receipt.proved).toMatchObject({
      capitalization: "proved",
      accountsHash: expect.stringContaining("not proven") as string,
    });
    expect(receipt.accountsStored).toBeLessThan(receipt.livingAccounts / 2);
    const filtered = contentOf(file);
    expect(filtered["coverage"]).toEqual([JSON.stringify(filter)]);
    const ofCollection = (rows: readonly string[] | undefined) =>
      rows?.filter((row) => ids.includes(row.slice(0, 64)));
    expect(ofCollection(filtered["assets"])).toEqual(ofCollection(whole["assets"]));
    expect(ids.length).toBeGreaterThan(1);
    expect(await problemsOf(file)).toEqual([]);
    const reported: string[] = [];
    expect(await findProblems(`sqlite:${file}`, (line) => reported.push(line))).toMatchObject({
      problems: [],
      report: { differing: 0 },
    });
    expect(reported).toContain(`comparing with the ledger snapshot of slot ${archives.slot}`);
    const turned = new DatabaseSync(file);
    turned.exec(
      "UPDATE account SET write_version = write_version + 1 WHERE id = (SELECT min(id) FROM account)",
    );
    turned.close();
    expect((await findProblems(`sqlite:${file}`, () => {})).problems.join()).toContain(
      "the sum of versions is",
    );
  });

  test("says, and keeps in its receipt, that it gave up looking for dependants", async () => {
    const program = encodeAddress(programAddresses.token);
    const filter = { programs: [program], owners: [], mints: [], collections: [] };
    const receipts = [];
    for (const selectionRounds of [1, 8]) {
      const notes: string[] = [];
      file = join(folder, `rounds-${selectionRounds}.db`);
      const options = { ...archives, store: `sqlite:${file}`, verify: "full", selectionRounds } as const;
      const receipt = await loadSnapshot(
        { ...options, filter: { kind: "filtered", ...filter } },
        { ...silent, say: (line) => notes.push(line) },
      );
      const text = receiptLines(receipt, file).join("\n");
      receipts.push([
        receipt.selectionEnded,
        notes.join().includes("deeper than the search limit"),
        text.includes("deeper than the search limit"),
      ]);
    }
    expect(receipts).toEqual([
      [false, true, true],
      [true, false, false],
    ]);
    expect(await load({ store: `sqlite:${join(folder, "all.db")}` })).toMatchObject({ selectionEnded: null });
  });

  test("gives what a wallet holds, by owner, and a mint with everything about it", async () => {
    await load();
    const whole = contentOf(file);
    const held = (whole["holdings"] ?? []).map((row) => row.split("|")).filter((row) => row[3] === "1");
    const [owner = "", mint = ""] = held[0] ?? [];
    for (const [place, filter] of [
      [0, { owners: [encodeAddress(Buffer.from(owner, "hex"))], mints: [] }],
      [1, { owners: [], mints: [encodeAddress(Buffer.from(mint, "hex"))] }],
    ] as const) {
      file = join(folder, `by-${place}.db`);
      await load({ filter: { kind: "filtered", programs: [], collections: [], ...filter } });
      const { holdings = [], assets = [] } = contentOf(file);
      const key = [owner, mint][place] as string;
      const ofKey = (rows: readonly string[] = []) => rows.filter((row) => row.split("|")[place] === key);
      expect(ofKey(holdings)).toEqual(ofKey(whole["holdings"]));
      const wanted = new Set(ofKey(holdings).map((row) => row.split("|")[1]));
      const ofMints = (rows: readonly string[] = []) => rows.filter((row) => wanted.has(row.slice(0, 64)));
      expect(ofMints(assets)).toEqual(ofMints(whole["assets"]));
    }
  });

  test("leaves out what an asset names but no filter can need, rather than storing it without its data", async () => {
    const { asset, owner, named } = archives.stray;
    await load({
      filter: {
        kind: "filtered",
        programs: [],
        collections: [],
        mints: [],
        owners: [encodeAddress(owner)],
      },
    });
    const reader = openSqliteReader({ file });
    const view = await reader.openView("finalized");
    try {
      expect((await view.accounts.findAccount(asset))?.data.length).toBeGreaterThan(66);
      expect(await view.accounts.findAccount(named)).toBeNull();
    } finally {
      view.close();
      reader.close();
    }
    expect(await problemsOf(file)).toEqual([]);
  });

  test("refuses what is not proved, and leaves nothing behind", async () => {
    const bytes = readFileSync(archives.full);
    const cut = join(folder, "cut.tar.zst");
    writeFileSync(cut, bytes.subarray(0, bytes.length - 100));
    await expect(load({ full: cut, incremental: null })).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_DAMAGED",
    });
    expect(leftovers()).toEqual([]);
    const { full, incremental } = archives;
    await expect(load({ full: incremental, incremental: null })).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_REFUSED",
    });
    await expect(load({ full, incremental: full })).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_REFUSED",
    });
    expect(leftovers()).toEqual([]);
  });

  test("accepts an empty store, and refuses any other untouched", async () => {
    await openSqliteStore({ file, mode: "write" }).close();
    await load();
    const before = contentOf(file);
    await expect(load()).rejects.toMatchObject({ code: "STORE__NOT_EMPTY" });
    expect(contentOf(file)).toEqual(before);
    const foreign = join(folder, "foreign.db");
    const database = new DatabaseSync(foreign);
    database.exec("CREATE TABLE x (y)");
    database.close();
    await expect(load({ store: `sqlite:${foreign}` })).rejects.toMatchObject({ code: "STORE__NOT_A_STORE" });
  });

  test("says that the disk is full, and goes on from its partitions when it no longer is", async () => {
    await expect(load({ fileBytesMax: 700_000 })).rejects.toMatchObject({ code: "STORE__FULL" });
    expect(existsSync(file)).toBe(false);
    expect(existsSync(join(`${file}.load`, "stage", "stage.json"))).toBe(true);
    const notes: string[] = [];
    const options = { ...archives, store: `sqlite:${file}`, filter: null, verify: "full" } as const;
    await loadSnapshot(options, { ...silent, say: (line) => notes.push(line) });
    expect(notes.join()).toContain("an earlier run");
    expect(await problemsOf(file)).toEqual([]);
  });

  test("goes on with a download that was cut short", async () => {
    const bytes = readFileSync(archives.full);
    const half = bytes.length >> 1;
    const stopping = new AbortController();
    const ranges: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      const from = Number(/bytes=(\d+)-/u.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, {
        "content-length": bytes.length - from,
        "accept-ranges": "bytes",
        etag: '"one"',
        ...(from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
      });
      if (request.method === "HEAD") return void response.end();
      ranges.push(request.headers.range);
      if (ranges.length > 1) return void response.end(bytes.subarray(from));
      // Half of it, and then nothing more, until the load is stopped.
      response.write(bytes.subarray(0, half), () =>
        setTimeout(() => stopping.abort(new Error("enough")), 500),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const full = `http://somebody:hush@127.0.0.1:${port}/${basename(archives.full)}?signature=hush`;
      const store = `sqlite:${file}`;
      const options = { full, incremental: null, store, filter: null, verify: "full" } as const;
      await expect(loadSnapshot(options, silent, stopping.signal)).rejects.toThrow();
      expect(existsSync(file)).toBe(false);
      const receipt = await loadSnapshot(options, silent);
      expect(receipt.full).toBe(`http://127.0.0.1:${port}/${basename(archives.full)}`);
      expect(readFileSync(file, "latin1")).not.toContain("hush");
      expect(ranges).toEqual([undefined, `bytes=${half}-`]);
      expect(await problemsOf(file)).toEqual([]);
      expect(existsSync(`${file}.load`)).toBe(false);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("stops when it is reported to", async () => {
    const stopping = new AbortController();
    const update = ({ stage }: { readonly stage: string }): void => {
      if (stage === "derive") stopping.abort(new Error("enough"));
    };
    const options = { ...archives, store: `sqlite:${file}`, filter: null, verify: "full" } as const;
    await expect(loadSnapshot(options, { ...silent, update }, stopping.signal)).rejects.toThrow("enough");
    expect(existsSync(file)).toBe(false);
    await load();
    expect(await problemsOf(file)).toEqual([]);
  });
});

describe("lamplight load snapshot", () => {
  test(
    "killed at any moment, ends in the same store when it is run again",
    async () => {
      await load();
      const expected = contentOf(file);
      const random = new Random(KILL_SEED, 0, 0);
      for (let run = 0; run < KILL_RUNS; run += 1) {
        const target = join(folder, `killed-${run}.db`);
        const args = ["load", "snapshot", archives.full, archives.incremental, "--store", `sqlite:${target}`];
        const kills = random.between(1, 2);
        for (let kill = 0; kill < kills; kill += 1) {
          const child = startCommand(args);
          const exit = once(child, "exit");
          await Promise.race([exit, sleep(random.between(200, 2500))]);
          child.kill("SIGKILL");
          await exit;
        }
        if (!existsSync(target)) {
          const { exitCode, stderr } = await runCommand(args);
          expect(exitCode, stderr).toBe(0);
        }
        expect(contentOf(target), `seed ${KILL_SEED}, run ${run}`).toEqual(expected);
      }
    },
    COMMAND_MS + KILL_RUNS * 200_000,
  );

  test("prints a receipt, and names what it does not understand", async () => {
    const args = [
      "load",
      "snapshot",
      archives.full,
      archives.incremental,
      "--store",
      `sqlite:${file}`,
      "--json",
    ];
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      event: "loaded",
      slot: archives.slot,
      coverage: { kind: "whole" },
    });
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const line of lines) expect(line).toHaveProperty("event");
    const ended = lines.filter(({ percent }) => percent === 100).map(({ stage }) => stage);
    expect(ended).toEqual(["read", "read incremental", "insert", "derive", "finish"]);
    const steps = lines.filter(({ stage }) => stage === "finish").map(({ step }) => step);
    expect(steps).toEqual(expect.arrayContaining(["index asset_owner", "check", "sync"]));
    expect(lines.find(({ step }) => step === "check")).not.toHaveProperty("accountsPerSecond");
    const verified = await runCommand(["verify", "--store", `sqlite:${file}`]);
    expect(verified.exitCode, verified.stdout).toBe(0);
    expect(verified.stderr).toContain(`comparing with the ledger snapshot of slot ${archives.slot}`);
    const database = new DatabaseSync(file);
    database.exec(
      "UPDATE account SET rent_epoch = 5, flags = flags & ~2 WHERE id = (SELECT min(id) FROM account)",
    );
    database.exec("UPDATE account SET lamports = lamports + 1 WHERE id = (SELECT max(id) FROM account)");
    database.close();
    const changed = await runCommand(["verify", "--store", `sqlite:${file}`]);
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toMatch(/the capitalization is \d+; .*\n.*the lattice hash is /u);
    expect(await runCommand([...args, "--verify", "maybe"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("full or basic") as string,
    });
    expect(await runCommand([...args, "--owner", "x"])).toMatchObject({ exitCode: 2 });
  });
});
