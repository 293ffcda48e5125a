import { reads } from "@lamplight/core";
// `lamplight load snapshot`: the store that it makes, and what it refuses.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { decodeMint, encodeAddress, isTokenProgram } from "@lamplight/codecs";
import { createIndexer } from "@lamplight/indexer";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import { contentOf, problemsOf, useSnapshotLoads } from "../../test/snapshot-loads.ts";

const loads = useSnapshotLoads();

describe("loadSnapshot", () => {
  test("makes the same store as an indexer that gets the same accounts", async () => {
    const receipt = await loads.load();
    expect(receipt).toMatchObject({
      slot: loads.archives.slot,
      accountsStored: loads.archives.living.length,
      proved: { structure: "proved", capitalization: "proved", accountsHash: "proved", bankHash: "proved" },
    });
    const loaded = contentOf(loads.file);
    expect(await problemsOf(loads.file)).toEqual([]);
    const other = join(loads.folder, "other.db");
    const store = openSqliteStore({ file: other, mode: "write" });
    await createIndexer(store).applyAccounts(loads.archives.living, {
      slot: loads.archives.slot,
      blockhash: null,
    });
    await store.writeCoverage({ kind: "whole" });
    await store.close();
    const { head, ...expected } = contentOf(other);
    expect(loaded).toMatchObject(expected);
    expect(head).toHaveLength(1);
    expect(existsSync(`${loads.file}.load`)).toBe(false);
    expect(existsSync(`${loads.file}.search`)).toBe(true);
  });

  test("lists trees without leaves as incomplete, with the sequence numbers of their accounts", async () => {
    const receipt = await loads.load();
    expect(receipt.incompleteTrees).toBe(1);
    const reader = openSqliteReader({ file: loads.file });
    const view = await reader.openView("finalized");
    try {
      expect(view.incompleteTrees).toEqual([
        {
          tree: encodeAddress(loads.archives.trees.changed),
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

  test("derives burnt assets from the accounts that remain", async () => {
    await loads.load();
    const reader = openSqliteReader({ file: loads.file });
    const view = await reader.openView("finalized");
    const burnt = async (id: Uint8Array): Promise<string | undefined> => {
      const document = (await view.read(reads.ownAsset(id)))?.document;
      return document === undefined ? undefined : /"interface":"(\w+)".*"burnt":true/.exec(document)?.[1];
    };
    try {
      expect(await burnt(loads.archives.emptied)).toBe("MplCoreAsset");
      const mints = loads.archives.living.filter(({ programOwner, data }) => {
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

  test("refuses damaged and wrong archives, and leaves nothing behind", async () => {
    const bytes = readFileSync(loads.archives.full);
    const cut = join(loads.folder, "cut.tar.zst");
    writeFileSync(cut, bytes.subarray(0, bytes.length - 100));
    await expect(loads.load({ full: cut, incremental: null })).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_DAMAGED",
    });
    expect(loads.leftovers()).toEqual([]);
    const { full, incremental } = loads.archives;
    await expect(loads.load({ full: incremental, incremental: null })).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_REFUSED",
    });
    await expect(loads.load({ full, incremental: full })).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_REFUSED",
    });
    expect(loads.leftovers()).toEqual([]);
  });

  test("accepts an empty store, and refuses any other untouched", async () => {
    await openSqliteStore({ file: loads.file, mode: "write" }).close();
    await loads.load();
    const before = contentOf(loads.file);
    await expect(loads.load()).rejects.toMatchObject({ code: "STORE__NOT_EMPTY" });
    expect(contentOf(loads.file)).toEqual(before);
    const foreign = join(loads.folder, "foreign.db");
    const database = new DatabaseSync(foreign);
    database.exec("CREATE TABLE x (y)");
    database.close();
    await expect(loads.load({ store: `sqlite:${foreign}` })).rejects.toMatchObject({
      code: "STORE__NOT_A_STORE",
    });
  });
});

describe("lamplight load snapshot", () => {
  test("prints a receipt, and names what it does not understand", async () => {
    const { full, incremental } = loads.archives;
    const args = ["load", "snapshot", full, incremental, "--store", `sqlite:${loads.file}`, "--json"];
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      event: "loaded",
      slot: loads.archives.slot,
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
    const verified = await runCommand(["verify", "--store", `sqlite:${loads.file}`]);
    expect(verified.exitCode, verified.stdout).toBe(0);
    expect(verified.stderr).toContain(`comparing with the ledger snapshot of slot ${loads.archives.slot}`);
    const database = new DatabaseSync(loads.file);
    database.exec(
      "UPDATE account SET rent_epoch = 5, flags = flags & ~2 WHERE id = (SELECT min(id) FROM account)",
    );
    database.exec("UPDATE account SET lamports = lamports + 1 WHERE id = (SELECT max(id) FROM account)");
    database.close();
    const changed = await runCommand(["verify", "--store", `sqlite:${loads.file}`]);
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toMatch(/the capitalization is \d+; .*\n.*the lattice hash is /u);
    expect(await runCommand([...args, "--verify", "maybe"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("full or basic") as string,
    });
    expect(await runCommand([...args, "--owner", "x"])).toMatchObject({ exitCode: 2 });
  });
});
