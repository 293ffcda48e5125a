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

const putCoreAsset = async (uri: string): Promise<void> => {
  const opened = openSqliteStore({ file: store, mode: "write" });
  const owner = new Uint8Array(32).fill(7);
  const data = Buffer.concat([
    Uint8Array.of(1),
    owner,
    Uint8Array.of(0),
    text("Name"),
    text(uri),
    Uint8Array.of(0),
  ]);
  const account = {
    address: new Uint8Array(32).fill(1),
    programOwner: programAddresses.mplCore,
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
    data,
    slot: 1,
    writeVersion: 0,
  };
  await createIndexer(opened).applyAccounts([account], { slot: 1, blockhash: null });
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

  test.each([
    [[], /--store is missing/],
    [["--store", "sqlite:x", "--allow-port", "http"], /is no port/],
    [["--store", "sqlite:x", "--ipfs-gateway", "ipfs.io"], /is not a URL/],
    [
      ["--store", "sqlite:x", "--ipfs-gateway", "https://a.b/?cid="],
      /is not a URL that a CID or id can follow/,
    ],
    [["--store", "sqlite:x", "--frm", "y"], /--frm/],
    [["--store", "sqlite:/does/not/exist.db"], /does not exist/],
  ])("refuses %j", async (args, reason) => {
    await expect(run(...args)).rejects.toThrow(reason);
  });
});
