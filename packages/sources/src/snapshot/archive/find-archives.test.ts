import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Workplace } from "../../../test/synthetic-archive.ts";
import { findSnapshotSources } from "./find-archives.ts";

const fullName = `snapshot-100-${"2".repeat(44)}`;
const incrementalName = `incremental-snapshot-100-120-${"3".repeat(44)}`;

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.remove());

const found = async (full: string, incremental: string | null = null) => {
  const sources = await findSnapshotSources(full, incremental);
  return [sources.full.place, sources.incremental?.place ?? null];
};

describe("findSnapshotSources", () => {
  test("takes of the same archive in several forms one that is read", async () => {
    const bytes = Buffer.alloc(1);
    for (const name of [fullName, incrementalName]) {
      place.save(`${name}.tar.bz2`, bytes);
      place.save(`${name}.tar.zst`, bytes);
    }
    expect(await found(place.folder)).toEqual([
      join(place.folder, `${fullName}.tar.zst`),
      join(place.folder, `${incrementalName}.tar.zst`),
    ]);
  });

  test("passes over folders that are named like archives", async () => {
    const full = place.save(`${fullName}.tar.zst`, Buffer.alloc(1));
    mkdirSync(join(place.folder, `snapshot-200-${"4".repeat(44)}.tar.zst`));
    mkdirSync(join(place.folder, `${incrementalName}.tar.zst`));
    expect(await found(place.folder)).toEqual([full, null]);
  });

  test("refuses a folder where an archive is needed, by its path", async () => {
    const full = place.save(`${fullName}.tar.zst`, Buffer.alloc(1));
    const folder = join(place.folder, `${incrementalName}.tar.zst`);
    mkdirSync(folder);
    const refusal = { code: "SOURCE__SNAPSHOT_REFUSED", message: expect.stringContaining("a folder") };
    await expect(found(full, folder)).rejects.toMatchObject(refusal);
    await expect(found(full, place.folder)).rejects.toMatchObject(refusal);
    const link = join(place.folder, `snapshot-200-${"4".repeat(44)}.tar.zst`);
    symlinkSync(folder, link);
    await expect(found(place.folder)).rejects.toMatchObject(refusal);
  });
});
