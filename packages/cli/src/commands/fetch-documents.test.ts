import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programAddresses } from "@lamplight/codecs";
import { joinStored, reads } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { documentFileName } from "@lamplight/offchain";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchDocumentsCommand } from "./fetch-documents.ts";

let folder: string;
let store: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-fetch-"));
  store = join(folder, "index.db");
  printed = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const text = (value: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length);
  return Buffer.concat([length, Buffer.from(value)]);
};

const coreAsset = (uri: string, slot: number) => ({
  address: new Uint8Array(32).fill(1),
  programOwner: programAddresses.mplCore,
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data: Buffer.concat([
    Uint8Array.of(1),
    new Uint8Array(32).fill(7),
    Uint8Array.of(0),
    text("Name"),
    text(uri),
    Uint8Array.of(0),
  ]),
  slot,
  writeVersion: 0,
});

const putCoreAsset = async (uri: string, slot = 1): Promise<void> => {
  const opened = openSqliteStore({ file: store, mode: "write" });
  await createIndexer(opened).applyAccounts([coreAsset(uri, slot)], { slot, blockhash: null });
  await opened.close();
};

const readDocument = async (): Promise<string> => {
  const reader = openSqliteReader({ file: store });
  const view = await reader.openView("finalized");
  try {
    const [asset] = await view.read(reads.ownAssets([0]));
    return (await joinStored(view, asset!)).document;
  } finally {
    view.close();
    reader.close();
  }
};

const run = (...args: readonly string[]): Promise<number> => fetchDocumentsCommand.run(args);

/** Prunes, and answers what was printed. */
const prune = async (): Promise<string> => {
  printed = [];
  await run("--store", `sqlite:${store}`, "--from", folder, "--prune-days", "30");
  return printed.join("");
};

describe("lamplight fetch documents", () => {
  test("fetches what assets name, shows it, and again on request", async () => {
    const uri = "https://example.com/1.json";
    await putCoreAsset(uri);
    const file = join(folder, documentFileName(uri));
    writeFileSync(file, '{"description":"one"}');
    expect(await run("--store", `sqlite:${store}`, "--from", folder)).toBe(0);
    expect(printed.join("")).toBe("1 fetched: 1 new or changed, 0 failed\n1 × ok\n");
    expect(await readDocument()).toContain('"description":"one"');
    writeFileSync(file, '{"description":"two"}');
    await run("--store", `sqlite:${store}`, "--from", folder);
    expect(await readDocument()).toContain('"description":"one"');
    await run(uri, "--store", `sqlite:${store}`, "--from", folder);
    expect(await readDocument()).toContain('"description":"two"');
  });

  test("removes what no asset names any more only with --prune-days, and by its age", async () => {
    const uris = [1, 2, 3].map((index) => `https://example.com/${index}.json`);
    for (const uri of uris) writeFileSync(join(folder, documentFileName(uri)), `{"description":"${uri}"}`);
    // The asset names the last of them.
    for (const uri of uris) {
      await putCoreAsset(uri, uris.indexOf(uri) + 1);
      await run("--store", `sqlite:${store}`, "--from", folder);
    }
    expect(await prune()).toBe(
      "0 fetched: 0 new or changed, 0 failed\n0 removed that no asset names any more\n3 × ok\n",
    );
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 31 * 24 * 3_600_000);
    expect(await prune()).toBe(
      "0 fetched: 0 new or changed, 0 failed\n2 removed that no asset names any more\n1 × ok\n",
    );
    expect(await readDocument()).toContain(`"description":"${uris[2]}"`);
  });

  test("with --watch it fetches for assets that another process commits, and serves its metrics", async () => {
    const uris = [1, 2].map((index) => `https://example.com/${index}.json`);
    await putCoreAsset(uris[0]!);
    for (const uri of uris) writeFileSync(join(folder, documentFileName(uri)), `{"description":"${uri}"}`);
    // The store's writer keeps its lock in the meantime.
    const writer = openSqliteStore({ file: store, mode: "write" });
    const said: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((line) => said.push(String(line)) > 0);
    const watching = run("--store", `sqlite:${store}`, "--from", folder, "--watch", "--metrics-port", "0");
    await expect.poll(readDocument, { timeout: 60_000 }).toContain(`"description":"${uris[0]}"`);
    const rival = run("--store", `sqlite:${store}`, "--from", folder);
    await expect(rival).rejects.toThrow(`the document table of sqlite:${store} is being written`);
    await createIndexer(writer).applyAccounts([coreAsset(uris[1]!, 2)], { slot: 2, blockhash: null });
    await expect.poll(readDocument, { timeout: 60_000 }).toContain(`"description":"${uris[1]}"`);
    const url = /metrics: (\S+)/u.exec(said.join(""))![1]!;
    const metrics = await (await fetch(url)).text();
    expect(metrics).toContain('lamplight_documents_attempts_total{outcome="document"} 2\n');
    expect(metrics).toContain('lamplight_documents_uris{state="ok"} 2\n');
    process.emit("SIGTERM");
    expect(await watching).toBe(0);
    await writer.close();
    expect(printed.join("")).toBe("2 × ok\n");
  });

  test.each([
    [[], /--store is missing/],
    [["--store", "sqlite:x", "--allow-port", "http"], /is no port/],
    [["--store", "sqlite:x", "--allow-address", "10.0.0.0/8"], /"10.0.0.0\/8" is no IP address/],
    [["--store", "sqlite:x", "--ipfs-gateway", "ipfs.io"], /is not a URL/],
    [
      ["--store", "sqlite:x", "--ipfs-gateway", "https://a.b/?cid="],
      /is not a URL that a CID or id can follow/,
    ],
    [["--store", "sqlite:x", "--host-limit", "a.test"], /is not HOST=RATE/],
    [["--store", "sqlite:x", "--host-limit", "a.test=0"], /with a rate from 0.01/],
    [["--store", "sqlite:x", "--host-limit", "a.test=5/0"], /up to 1024 at once/],
    [["--store", "sqlite:x", "--requests-at-once", "1025"], /is no number from 1 to 1024/],
    [["--store", "sqlite:x", "--refresh-hours", "0"], /--refresh-hours "0" is no number/],
    [["--store", "sqlite:x", "--frm", "y"], /--frm/],
    [["--store", "sqlite:/does/not/exist.db"], /does not exist/],
  ])("refuses %j", async (args, reason) => {
    await expect(run(...args)).rejects.toThrow(reason);
  });
});
