import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Case, Suite } from "../outcome.ts";
import { listOf, membersOf, readJson, textOf, type Members } from "../read-json.ts";
import { type LabStores, openLabStores } from "../lab-stores.ts";
import { archiveDifferences } from "./ingest-archive.ts";
import { manifestDifferences } from "./ingest-manifest.ts";
import { storeDifferences } from "./ingest-store.ts";

/**
 * A folder of ledger snapshots: `expected/snapshots.json` names archives of `snapshots/`, alone or as a pair, and what
 * they hold. Each is read, and loaded into a store; a file whose name is a named archive's with `multiframe-` before
 * it must give the same; a manifest of its own (`manifest-….bin.zst`) must be read to its last byte.
 *
 * @param storeUrl - where stores are made, see `openLabStores`
 */
export const openIngestSuite = async (folder: string, storeUrl: string | null): Promise<Suite> => {
  const stores = await openLabStores(storeUrl);
  const work = await mkdtemp(join(tmpdir(), "lamplight-ingest-"));
  const snapshots = join(folder, "snapshots");
  const document = membersOf(await readJson(join(folder, "expected", "snapshots.json")));
  const cases: Case[] = [];
  for (const expected of listOf(document["archives"]).map(membersOf)) {
    const names = listOf(expected["archives"]).map(textOf);
    cases.push(...archiveCases(snapshots, names, expected, { work, stores }));
    const variant = `multiframe-${names[0]}`;
    if (existsSync(join(snapshots, variant))) {
      cases.push(...archiveCases(snapshots, [variant, ...names.slice(1)], expected, { work, stores }));
    }
  }
  for (const name of (await readdir(snapshots)).toSorted()) {
    if (!/^manifest-.*\.bin\.zst$/.test(name)) continue;
    cases.push({ name: `manifest/${name}`, run: () => manifestDifferences(join(snapshots, name)) });
  }
  const close = async (): Promise<void> => {
    await stores.close();
    await rm(work, { recursive: true, force: true });
  };
  return { cases, close };
};

const archiveCases = (
  folder: string,
  names: readonly string[],
  expected: Members,
  { work, stores }: { readonly work: string; readonly stores: LabStores },
): readonly Case[] => {
  const [full = "", incremental] = names.map((name) => join(folder, name));
  const archives = { full, incremental: incremental ?? null };
  const name = names.join(" + ");
  return [
    { name: `read/${name}`, run: () => archiveDifferences(archives, expected, work) },
    {
      name: `load/${name}`,
      run: async () => storeDifferences(archives, expected, work, await stores.next()),
    },
  ];
};
