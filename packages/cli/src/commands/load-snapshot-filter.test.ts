import { reads } from "@lamplight/core";
// `lamplight load snapshot` of a part of the chain.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { loadSnapshot, receiptLines, type SnapshotFilter } from "@lamplight/runtime/snapshot";
import { openSqliteReader } from "@lamplight/store-sqlite";
import { describe, expect, test } from "vitest";
import { contentOf, problemsOf, silent, useSnapshotLoads } from "../../test/snapshot-loads.ts";
import { findProblems } from "./verify.ts";

const loads = useSnapshotLoads();

describe("a load with a filter", () => {
  test("gives what a collection's assets need, and nothing less", async () => {
    await loads.load();
    const whole = contentOf(loads.file);
    const database = new DatabaseSync(loads.file, { readOnly: true });
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
    loads.file = join(loads.folder, "collection.db");
    const receipt = await loads.load({ filter });
    expect(receipt.proved).toMatchObject({
      capitalization: "proved",
      accountsHash: expect.stringContaining("not proven") as string,
    });
    expect(receipt.accountsStored).toBeLessThan(receipt.livingAccounts / 2);
    const filtered = contentOf(loads.file);
    expect(filtered["coverage"]).toEqual([JSON.stringify(filter)]);
    const ofCollection = (rows: readonly string[] | undefined) =>
      rows?.filter((row) => ids.includes(row.slice(0, 64)));
    expect(ofCollection(filtered["assets"])).toEqual(ofCollection(whole["assets"]));
    expect(ids.length).toBeGreaterThan(1);
    expect(await problemsOf(loads.file)).toEqual([]);
    const reported: string[] = [];
    expect(await findProblems(`sqlite:${loads.file}`, (line) => reported.push(line))).toMatchObject({
      problems: [],
      report: { differing: 0 },
    });
    expect(reported).toContain(`comparing with the ledger snapshot of slot ${loads.archives.slot}`);
    const changed = new DatabaseSync(loads.file);
    changed.exec(
      "UPDATE account SET write_version = write_version + 1 WHERE id = (SELECT min(id) FROM account)",
    );
    changed.close();
    expect((await findProblems(`sqlite:${loads.file}`, () => {})).problems.join()).toContain(
      "the sum of versions is",
    );
  });

  test("reports, also in its receipt, that it did not search all dependants", async () => {
    const program = encodeAddress(programAddresses.token);
    const filter = { programs: [program], owners: [], mints: [], collections: [] };
    const receipts = [];
    for (const selectionRounds of [1, 8]) {
      const notes: string[] = [];
      loads.file = join(loads.folder, `rounds-${selectionRounds}.db`);
      const receipt = await loadSnapshot(
        { ...loads.options, selectionRounds, filter: { kind: "filtered", ...filter } },
        { ...silent, say: (line) => notes.push(line) },
      );
      const text = receiptLines(receipt, loads.file).join("\n");
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
    expect(await loads.load({ store: `sqlite:${join(loads.folder, "all.db")}` })).toMatchObject({
      selectionEnded: null,
    });
  });

  test("gives what a wallet holds, by owner, and a mint with everything about it", async () => {
    await loads.load();
    const whole = contentOf(loads.file);
    const held = (whole["holdings"] ?? []).map((row) => row.split("|")).filter((row) => row[3] === "1");
    const [owner = "", mint = ""] = held[0] ?? [];
    for (const [place, filter] of [
      [0, { owners: [encodeAddress(Buffer.from(owner, "hex"))], mints: [] }],
      [1, { owners: [], mints: [encodeAddress(Buffer.from(mint, "hex"))] }],
    ] as const) {
      loads.file = join(loads.folder, `by-${place}.db`);
      await loads.load({ filter: { kind: "filtered", programs: [], collections: [], ...filter } });
      const { holdings = [], assets = [] } = contentOf(loads.file);
      const key = [owner, mint][place] as string;
      const ofKey = (rows: readonly string[] = []) => rows.filter((row) => row.split("|")[place] === key);
      expect(ofKey(holdings)).toEqual(ofKey(whole["holdings"]));
      const wanted = new Set(ofKey(holdings).map((row) => row.split("|")[1]));
      const ofMints = (rows: readonly string[] = []) => rows.filter((row) => wanted.has(row.slice(0, 64)));
      expect(ofMints(assets)).toEqual(ofMints(whole["assets"]));
    }
  });

  test("leaves out what an asset names but no filter can need, rather than storing it without its data", async () => {
    const { asset, owner, named } = loads.archives.stray;
    await loads.load({
      filter: {
        kind: "filtered",
        programs: [],
        collections: [],
        mints: [],
        owners: [encodeAddress(owner)],
      },
    });
    const reader = openSqliteReader({ file: loads.file });
    const view = await reader.openView("finalized");
    try {
      expect((await view.read(reads.account(asset)))?.data.length).toBeGreaterThan(66);
      expect(await view.read(reads.account(named))).toBeNull();
    } finally {
      view.close();
      reader.close();
    }
    expect(await problemsOf(loads.file)).toEqual([]);
  });
});
