// Off-chain JSON over a store in PostgreSQL, as a process; and a copy of it into a file shows the same.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress, programAddresses } from "@lamplight/codecs";
import { joinStored, reads } from "@lamplight/core";
import { createIndexer } from "@lamplight/indexer";
import { openStoreForWriting } from "@lamplight/runtime";
import { describePostgres, startPostgres, type TestPostgres } from "@lamplight/postgres-test";
import { documentFileName } from "@lamplight/offchain";
import { openPostgresReader, openPostgresStore } from "@lamplight/store-postgres";
import { openSqliteStore } from "@lamplight/store-sqlite";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";

const text = (value: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
};

/** An asset of Core that names a URI. */
const coreAsset = (which: number, uri: string) => ({
  address: new Uint8Array(32).fill(which),
  programOwner: programAddresses.mplCore,
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data: Buffer.concat([
    Uint8Array.of(1),
    new Uint8Array(32).fill(7),
    Uint8Array.of(0),
    text(`Asset ${which}`),
    text(uri),
    Uint8Array.of(0),
  ]),
  slot: 1,
  writeVersion: 0,
});

const idOf = (document: string): Uint8Array =>
  decodeAddress((JSON.parse(document) as { readonly id: string }).id);

const uris = ["https://example.com/1.json", "https://example.com/ä.json", "https://example.com/none.json"];

describePostgres("lamplight fetch documents over PostgreSQL", () => {
  const folder = mkdtempSync(join(tmpdir(), "lamplight-fetch-postgres-"));
  let postgres: TestPostgres;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = `${postgres.url}?schema=documents`;
    const store = await openPostgresStore({ url, mode: "write" });
    // Two assets share the first document.
    const accounts = [...uris, uris[0]!].map((uri, index) => coreAsset(index + 1, uri));
    await createIndexer(store).applyAccounts(accounts, { slot: 1, blockhash: null });
    await store.close();
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  const put = (uri: string, json: string): void => writeFileSync(join(folder, documentFileName(uri)), json);
  const fetchDocuments = (...more: readonly string[]) =>
    runCommand(["fetch", "documents", "--store", url, "--from", folder, ...more]);
  const descriptions = async (): Promise<readonly unknown[]> => {
    const reader = await openPostgresReader({ url });
    const view = await reader.openView("finalized");
    const assets = await view.read(reads.ownAssets([0, 1, 2, 3]));
    const joined = await Promise.all(assets.map((asset) => joinStored(view, asset!)));
    view.close();
    reader.close();
    return joined
      .toSorted((a, b) => Buffer.compare(idOf(a.document), idOf(b.document)))
      .map(({ document }) => /"description":("[^"]*"|[^,}]*)/u.exec(document)?.[1] ?? null);
  };

  test("fetches each URI once, shows it in every asset that names it, and fetches again on request", async () => {
    put(uris[0]!, '{"description":"one \\u0000 of 18446744073709551615"}');
    put(uris[1]!, '{"description":"Größe"}');
    const first = await fetchDocuments();
    expect([first.exitCode, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^3 fetched: 2 new or changed, 1 failed\n2 × ok\n/u),
    ]);
    const shown = await descriptions();
    expect(shown[0]).toContain("of 18446744073709551615");
    expect(shown[3]).toBe(shown[0]);
    expect(shown.slice(1, 3)).toEqual(['"Größe"', null]);

    put(uris[0]!, '{"description":"two"}');
    await fetchDocuments();
    expect((await descriptions())[0]).toBe(shown[0]);
    const again = await fetchDocuments(uris[0]!);
    expect(again.stdout).toContain("1 fetched: 1 new or changed, 0 failed\n");
    expect(await descriptions()).toEqual(['"two"', shown[1], null, '"two"']);
    expect((await fetchDocuments()).stdout).toContain("0 fetched: 0 new or changed, 0 failed\n");
    const verified = await runCommand(["verify", "--store", url]);
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining(": sound (")]);
  });

  test("fetches for a store of several databases while another process writes it", async () => {
    const sharded = new URL(postgres.url.replace(/^postgres(?:ql)?:/u, "shards:"));
    sharded.searchParams.set("schema", "sharded");
    for (const place of [0, 1])
      sharded.searchParams.append("shard", `${postgres.url}?schema=sharded_${place}`);
    const writer = await openStoreForWriting(sharded.href, { create: true });
    onTestFinished(() => writer.close());
    await createIndexer(writer).applyAccounts([coreAsset(1, uris[0]!), coreAsset(2, uris[1]!)], {
      slot: 1,
      blockhash: null,
    });
    // It brings every row into the shards.
    expect(await writer.checkIntegrity()).toEqual([]);
    put(uris[0]!, '{"description":"one"}');
    put(uris[1]!, '{"description":"two"}');
    const fetched = await runCommand(["fetch", "documents", "--store", sharded.href, "--from", folder]);
    expect([fetched.exitCode, fetched.stdout]).toEqual([
      0,
      expect.stringMatching(/^2 fetched: 2 new or changed, 0 failed\n2 × ok\n/u),
    ]);
    await createIndexer(writer).applyAccounts([], { slot: 2, blockhash: null });
  });

  test("what was fetched moves with a copy, and is fetched again by it only when it is due", async () => {
    const file = join(folder, "copy.db");
    expect(await runCommand(["copy", "--from", url, "--to", `sqlite:${file}`])).toMatchObject({
      exitCode: 0,
    });
    const [ours, theirs] = [
      await openPostgresStore({ url, mode: "write" }),
      openSqliteStore({ file, mode: "write" }),
    ];
    expect(await theirs.offchain?.readRows(uris)).toEqual(await ours.offchain?.readRows(uris));
    expect(await theirs.offchain?.readNotedSeq()).toBe(await ours.offchain?.readNotedSeq());
    await ours.close();
    await theirs.close();
    const args = ["fetch", "documents", "--store", `sqlite:${file}`, "--from", folder];
    expect((await runCommand(args)).stdout).toContain("0 fetched: 0 new or changed, 0 failed\n");
  });
});
