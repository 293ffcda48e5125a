// `lamplight explain` over a store with assets of every kind, and over one that was damaged.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { encodeAddress } from "@lamplight/codecs";
import type { Asset } from "@lamplight/core";
import { demoAddresses } from "@lamplight/devchain";
import { openStoreForReading } from "@lamplight/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../../test/run-command.ts";
import { EmbeddedChain } from "../dev/embedded-chain.ts";
import type { ExplainedCall } from "../explain/explain-call.ts";

const folder = mkdtempSync(join(tmpdir(), "lamplight-explain-"));
const file = join(folder, "chain.db");
const store = `sqlite:${file}`;
let assets: readonly (Asset & { readonly ordinal: number })[];

beforeAll(async () => {
  const chain = await EmbeddedChain.open({ file, seed: 7, cloned: [], consensus: "alpenglow" });
  await chain.stop();
  const reader = await openStoreForReading(store);
  const view = await reader.openView("finalized");
  assets = await view.index!.readAssetPage(0, 10_000);
  view.close();
  reader.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const { nft, missing } = demoAddresses;

const explain = async (...args: readonly string[]) => {
  const { exitCode, stdout, stderr } = await runCommand(["explain", ...args, "--store", store]);
  return { exitCode, stdout, stderr };
};

const explainJson = async (...args: readonly string[]) => {
  const { exitCode, stdout } = await explain(...args, "--json");
  return { exitCode, explained: JSON.parse(stdout) as ExplainedCall };
};

const idOf = (is: (asset: Asset) => boolean): string => encodeAddress(assets.find(is)!.id);

test.each<[string, (asset: Asset) => boolean, string, readonly string[]]>([
  ["NFT", (one) => encodeAddress(one.id) === nft, "token", ["own address", "metadata", "holder", "edition"]],
  ["fungible token", (one) => one.ownerModel === "token", "token", ["own address"]],
  [
    "burnt NFT",
    (one) => one.burnt && one.interface === "V1_NFT",
    "token",
    ["own address", "metadata", "edition"],
  ],
  [
    "Core asset in a collection",
    (one) => one.interface === "MplCoreAsset" && one.inherits !== null,
    "mpl-core",
    ["own address", "collection"],
  ],
  ["Core collection", (one) => one.interface === "MplCoreCollection", "mpl-core", ["own address"]],
  ["compressed", (one) => one.compressed && one.inherits === null, "compressed", ["leaf in tree"]],
])("derives an asset of each kind again: %s", async (_, is, kind, parts) => {
  const id = idOf(is);
  const { exitCode, explained } = await explainJson("getAsset", id);
  expect(explained.reads).toMatchObject([{ round: 1, kind: "asset", asked: { id } }]);
  expect(explained.derivation).toMatchObject({ asset: { kind, document: { id } }, differences: [] });
  expect(explained.derivation?.parts.map(({ part }) => part)).toEqual(expect.arrayContaining([...parts]));
  expect(exitCode).toBe(0);
});

test("explains a DAS method", async () => {
  const { exitCode, explained } = await explainJson("getAsset", `id=${nft}`, "--methods", "das");
  expect(explained.reads).toMatchObject([{ kind: "asset", asked: { id: nft } }]);
  expect(explained).toMatchObject({ outcome: { ok: true }, derivation: { differences: [] } });
  expect(exitCode).toBe(0);
  const listed = await explainJson("getAssetsByAuthority", `authorityAddress=${missing}`, "--methods", "das");
  expect(listed.explained).toMatchObject({ outcome: { ok: true, result: { total: 0 } } });
});

test("says in words what was read, and which account makes what", async () => {
  const { exitCode, stdout, stderr } = await explain("getAsset", nft);
  expect(stdout).toMatch(/^getAsset at the finalized slot \d+: 1 read in 1 round\n/u);
  expect(stdout).toContain(` 1  asset\n    asked  id ${nft}\n    found  document bytes `);
  expect(stdout).toMatch(/ {2}metadata \w+\n {4}owner metaq\w+, lamports \d+, bytes \d+,/u);
  expect(stdout).toMatch(/by rule token-metadata: [^:]*\/content\/metadata\/name/u);
  expect(stdout).toMatch(/by rule token: \/ownership\/owner/u);
  expect(stdout).toMatch(/off-chain document ipfs:\S+\n {4}bytes \d+\n {4}makes \/content\/files/u);
  expect(stdout).toMatch(/stored asset: the same as derived\n$/u);
  expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(stderr).toContain("a file has finalized slots only");
  expect(exitCode).toBe(0);
});

test("lists the reads of a search, and those of one round together", async () => {
  const { explained } = await explainJson("searchAssets", "interface=MplCoreAsset", "limit=3");
  expect(explained.reads.map(({ round, kind }) => [round, kind])).toEqual([
    [1, "search"],
    [2, "itemCache"],
    [3, "packedAssets"],
    expect.arrayContaining([4]),
    ...explained.reads.slice(4).map(({ round, kind }) => [round, kind]),
  ]);
  const [{ found, asked }] = explained.reads as [ExplainedCall["reads"][0]];
  expect(asked).toMatchObject({ query: { criteria: [{ kind: "interface", value: "MplCoreAsset" }] } });
  expect(found).toMatchObject({
    total: expect.any(Number),
    ordinals: [expect.any(Number), expect.any(Number), expect.any(Number)],
  });
  expect(explained.derivation).toBeNull();
  // It reads collections by their ids.
  const shown = await explainJson("searchAssets", "limit=3", "options.showCollectionMetadata=true");
  expect(shown).toMatchObject({ exitCode: 0, explained: { derivation: null } });
});

/** A copy of the store in which SQL changed the NFT. */
const damaged = (name: string, sql: string): string => {
  const copy = join(folder, name);
  new DatabaseSync(file, { readOnly: true }).exec(`VACUUM INTO '${copy}'`);
  const { ordinal } = assets.find((one) => encodeAddress(one.id) === nft)!;
  const database = new DatabaseSync(copy);
  database.exec(sql.replaceAll("ORD", String(ordinal)));
  database.close();
  return `sqlite:${copy}`;
};

test.each([
  [
    "a document",
    `UPDATE asset_document SET document = replace(document, '"Lantern #0"', '"Lantern #1"') WHERE ord = ORD`,
    `in 1 place\n  /content/metadata/name\n    stored   "Lantern #1"\n    derived  "Lantern #0"\n`,
  ],
  [
    "a document that is no JSON any more",
    "UPDATE asset_document SET document = '{' WHERE ord = ORD",
    `/document\n    stored   "{"\n    derived  (absent)\n`,
  ],
  [
    "a fact that searches read",
    "UPDATE asset SET burnt = 1 - burnt WHERE ord = ORD",
    "in 1 place\n  /facts/burnt\n    stored   true\n    derived  false\n",
  ],
])("names what differs of a damaged asset: %s", async (name, sql, difference) => {
  const url = damaged(`${name}.db`, sql);
  const { exitCode, stdout } = await runCommand(["explain", "getAsset", nft, "--store", url]);
  expect(stdout).toContain("stored asset: differs from the derived one");
  expect(stdout).toContain(difference);
  expect(exitCode).toBe(1);
});

test.each(["call", "explain"])("%s names a store whose assets cannot be searched", async (command) => {
  const url = damaged(`${command} unread.db`, "SELECT 1");
  const copy = url.slice("sqlite:".length);
  const database = new DatabaseSync(copy, { readOnly: true });
  const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'asset'").get()!;
  const { page_size: bytes } = database.prepare("PRAGMA page_size").get()!;
  database.close();
  const pages = readFileSync(copy);
  pages.fill(0xff, (Number(rootpage) - 1) * Number(bytes), Number(rootpage) * Number(bytes));
  writeFileSync(copy, pages);
  const { exitCode, stderr } = await runCommand([command, "searchAssets", "limit=1", "--store", url]);
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^lamplight: .* is damaged: .*\n$/u)]);
});

test("explains a missing asset and a refused call, and exits with 1", async () => {
  const absent = await explain("getAsset", missing);
  expect(absent.stdout).toContain(`refused: Asset Not Found (-32000) {"id":"${missing}"}`);
  expect(absent.stdout).toContain(`  own address ${missing}\n    not stored\n`);
  expect(absent.stdout).toMatch(/stored asset: none, as derived\n$/u);
  expect(absent.exitCode).toBe(1);
  const wrong = await explain("getAset", nft);
  expect(wrong.stdout).toContain(
    "getAset: nothing was read\n\nrefused: Method not found; did you mean getAsset?",
  );
  expect(wrong.exitCode).toBe(1);
});

test.each([
  [["explain"], "the method is missing"],
  [["explain", "getAsset", nft], "--store is missing"],
  [
    ["explain", "getAsset", nft, "--store", "sqlite:x", "--commitment", "x"],
    "--commitment must be processed",
  ],
  [["explain", "getAsset", nft, "--store", "sqlite:x", "--profile", "x"], "--profile must be spec or agave"],
])("%j is a wrong command line", async (args, reason) => {
  const { exitCode, stderr } = await runCommand(args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
