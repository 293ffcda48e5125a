import { zstdCompressSync } from "node:zlib";
import { recordBytes, signHeader } from "@lamplight/devchain";
import { isLamplightError } from "@lamplight/errors";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadArchives } from "../../test/load-archives.ts";
import {
  livingOf,
  storedAccount,
  type SyntheticArchive,
  syntheticArchive,
  type SyntheticStorage,
  Workplace,
} from "../../test/synthetic-archive.ts";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.remove());

const storages: readonly SyntheticStorage[] = [
  {
    slot: 40,
    id: 1,
    accounts: [storedAccount("a", { data: new Uint8Array(100).fill(7) }), storedAccount("b")],
  },
  {
    slot: 50,
    id: 2,
    accounts: [storedAccount("c", { executable: true }), storedAccount("a", { lamports: 9n })],
  },
];
const archive = syntheticArchive(50, storages);

const outcomeOf = async (bytes: Buffer, compress = true): Promise<"same" | "refused"> => {
  const path = place.save(
    compress ? archive.fileName : archive.fileName.replace(/\.zst$/, ""),
    compress ? zstdCompressSync(bytes) : bytes,
  );
  try {
    const { accounts } = await loadArchives(place.folder, path);
    expect(accounts.length).toBe(livingOf(storages).length);
    return "same";
  } catch (error) {
    if (!isLamplightError(error)) throw error;
    expect(error.code).toMatch(/^SOURCE__SNAPSHOT_(REFUSED|DAMAGED|MISMATCH)$/);
    return "refused";
  }
};

/** The offset of an entry's content in the tar. */
const contentAt = ({ tar }: SyntheticArchive, name: string): number => {
  for (let at = 0; at < tar.length;) {
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8);
    if (tar.toString("latin1", at, at + name.length + 1) === `${name}\0`) return at + 512;
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no entry ${name}`);
};

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ 0x55;
  return copy;
};

describe("a flipped byte", () => {
  const first = contentAt(archive, "accounts/50.2");
  const second = first + recordBytes(storages[1]?.accounts[0]?.data.length ?? 0);
  const manifest = contentAt(archive, "snapshots/50/50");
  const counted: readonly (readonly [string, number])[] = [
    ["the version", contentAt(archive, "version")],
    ["the name of an entry", first - 512 + 10],
    ["the size in a header", first - 512 + 130],
    ["the length of a record's data", first + 8],
    ["the high half of that length", first + 13],
    ["an address", first + 16 + 31],
    ["an address that wins over another record", second + 16],
    ["lamports", first + 48],
    ["a program owner", first + 64],
    ["the executable byte", first + 96],
    ["data", first + 136 + 5],
    ["the last blockhash", manifest + 9],
    ["a count of the manifest", manifest + 42],
    ["the last byte of the lattice hash", manifest + manifestLength() - 1],
  ];
  test.each(counted)("in %s refuses the archive", async (_, at) => {
    expect(await outcomeOf(flipped(archive.tar, at))).toBe("refused");
  });

  // Nothing proves these, and no answer shows them.
  const meaningless: readonly (readonly [string, number])[] = [
    ["the write version", first],
    ["the padding of a record", first + 99],
    ["the place of the old account hash", first + 110],
    ["the status cache", contentAt(archive, "snapshots/status_cache")],
  ];
  test.each(meaningless)("in %s changes nothing", async (_, at) => {
    expect(await outcomeOf(flipped(archive.tar, at))).toBe("same");
  });

  test("anywhere in the compressed file never gives other accounts", async () => {
    const compressed = zstdCompressSync(archive.tar);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: compressed.length - 1 }), async (at) => {
        const path = place.save(archive.fileName, flipped(compressed, at));
        const loaded = await loadArchives(place.folder, path).catch((error: unknown) => {
          if (!isLamplightError(error)) throw error;
          return null;
        });
        if (loaded !== null) expect(loaded.accounts.length).toBe(livingOf(storages).length);
      }),
      { numRuns: 25 },
    );
  });

  function manifestLength(): number {
    const at = contentAt(archive, "snapshots/50/50");
    return Number.parseInt(archive.tar.toString("latin1", at - 512 + 124, at - 512 + 135), 8);
  }
});

describe("a cut", () => {
  test("at any section of the tar refuses the archive", async () => {
    const sections = ["version", "snapshots/", "snapshots/50/50", "accounts/40.1", "accounts/50.2"].flatMap(
      (name) => {
        const at = contentAt(archive, name);
        return [at - 512, at - 256, at, at + 3, at + 512];
      },
    );
    const end = archive.tar.length;
    for (const at of [...sections, end - 1024, end - 1023, end - 512, end - 1]) {
      expect(await outcomeOf(archive.tar.subarray(0, at)), `compressed, cut at ${at}`).toBe("refused");
      expect(await outcomeOf(archive.tar.subarray(0, at), false), `plain, cut at ${at}`).toBe("refused");
    }
  });

  test("anywhere in the compressed file refuses the archive", async () => {
    const compressed = zstdCompressSync(archive.tar);
    for (let at = 0; at < compressed.length; at += 29) {
      const path = place.save(archive.fileName, compressed.subarray(0, at));
      await expect(loadArchives(place.folder, path), `cut at ${at}`).rejects.toMatchObject({
        code: expect.stringMatching(/^SOURCE__SNAPSHOT_/) as string,
      });
    }
  });
});

const renamed = (from: string, to: string, type?: string): Buffer => {
  const tar = Buffer.from(archive.tar);
  const header = tar.subarray(contentAt(archive, from) - 512);
  header.fill(0, 0, 100);
  header.write(to, 0, "latin1");
  if (type !== undefined) header.write(type, 156);
  signHeader(header);
  return tar;
};
describe("a strange entry", () => {
  test.each(["../x", "/etc/passwd", "accounts/abc", "accounts/../50.2", "snapshots/50/51", "x"])(
    "%s refuses the archive",
    async (name) => {
      expect(await outcomeOf(renamed("accounts/50.2", name))).toBe("refused");
    },
  );
  test.each(["1", "2", "3", "6", "x"])("of type %s refuses the archive", async (type) => {
    expect(await outcomeOf(renamed("accounts/50.2", "accounts/50.2", type))).toBe("refused");
  });
});

test("a name that is no archive, and one that is still being written, are refused", async () => {
  for (const name of ["snapshot.zip", "tmp-snapshot-archive-snapshot-1-x.tar.zst"]) {
    const path = place.save(name, zstdCompressSync(archive.tar));
    await expect(loadArchives(place.folder, path)).rejects.toThrow("its name must end in");
  }
  const bzip = place.save(archive.fileName.replace(/zst$/, "bz2"), archive.tar);
  await expect(loadArchives(place.folder, bzip)).rejects.toThrow("unpack it");
});
