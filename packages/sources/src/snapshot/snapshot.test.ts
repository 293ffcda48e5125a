import { zstdCompressSync } from "node:zlib";
import { gzipSync } from "node:zlib";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import type { ManifestEra } from "@lamplight/devchain";
import { isLamplightError } from "@lamplight/errors";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openArchiveSource } from "./archive/archive-source.ts";
import { readArchive } from "./archive/read-archive.ts";
import { loadArchives } from "../../test/load-archives.ts";
import {
  addressOf,
  livingOf,
  storedAccount,
  syntheticArchive,
  type SyntheticStorage,
  tombstone,
  Workplace,
} from "../../test/synthetic-archive.ts";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.remove());

const plain = ({ address, programOwner, lamports, executable, rentEpoch, data, slot }: Account) => ({
  address: encodeAddress(address),
  programOwner: encodeAddress(programOwner),
  lamports,
  executable,
  rentEpoch,
  data: Buffer.from(data).toString("hex"),
  slot,
});

const sorted = (accounts: readonly Account[]) =>
  accounts.map(plain).toSorted((a, b) => (a.address < b.address ? -1 : 1));

/** Everything that decides about winners, in one archive. */
const mixed: readonly SyntheticStorage[] = [
  {
    slot: 90,
    id: 5,
    accounts: [
      storedAccount("updated", { lamports: 1n }),
      storedAccount("closed", { lamports: 2n }),
      storedAccount("reopened", { lamports: 3n }),
      storedAccount("large", { data: new Uint8Array(70_000).fill(3) }),
      ...Array.from({ length: 40 }, (_, index) => storedAccount(index)),
    ],
  },
  {
    slot: 95,
    id: 2,
    accounts: [
      tombstone("reopened"),
      storedAccount("twice", { lamports: 4n }),
      storedAccount("twice", { lamports: 5n, executable: true }),
      storedAccount("by version", { lamports: 6n, writeVersion: 9 }),
      storedAccount("by id", { lamports: 7n, writeVersion: 1 }),
    ],
    tail: [storedAccount("stale", { lamports: 8n }), storedAccount("updated", { lamports: 9n })],
  },
  {
    slot: 95,
    id: 7,
    accounts: [
      storedAccount("by version", { lamports: 10n, writeVersion: 3 }),
      storedAccount("by id", { lamports: 11n, writeVersion: 1 }),
    ],
  },
  {
    slot: 100,
    id: 1,
    accounts: [
      storedAccount("updated", { lamports: 12n }),
      tombstone("closed"),
      storedAccount("reopened", { lamports: 13n }),
    ],
  },
  // Newest first: the order of arrival means nothing.
  { slot: 80, id: 9, accounts: [storedAccount("updated", { lamports: 14n }), storedAccount("closed")] },
];

const eras: readonly ManifestEra[] = ["1.14", "1.18", "2.1", "2.2", "4.1", "4.4"];

/** From 4.4 on, a storage file ends with its last record. */
const writtenIn = (era: ManifestEra): readonly SyntheticStorage[] =>
  era === "4.4" ? mixed.map(({ slot, id, accounts }) => ({ slot, id, accounts })) : mixed;

describe("a full archive", () => {
  test.each(eras)("of %s gives its living accounts and proves its hash", async (era) => {
    const path = place.saveArchive(syntheticArchive(100, writtenIn(era), { era, manifest: { stakes: 3 } }));
    const { accounts, proof } = await loadArchives(place.folder, path);
    expect(sorted(accounts)).toEqual(sorted(livingOf(mixed)));
    expect(accounts.map(({ address }) => encodeAddress(address))).not.toContain(
      encodeAddress(addressOf("stale")),
    );
    expect(proof).toMatchObject({
      slot: 100,
      accountsHash: "proved",
      bankHashProved: era === "2.2" || era === "4.1" || era === "4.4" ? true : null,
      counts: { tombstones: 1, records: 56, living: accounts.length },
      manifestFault: null,
    });
  });

  test("comes in ascending order of addresses as signed numbers", async () => {
    const path = place.saveArchive(syntheticArchive(100, mixed));
    const { accounts } = await loadArchives(place.folder, path);
    const keys = accounts.map(({ address }) => Buffer.from(address).readBigInt64BE(0));
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  test("is the same for any number of threads", async () => {
    const path = place.saveArchive(syntheticArchive(100, mixed));
    for (const threads of [1, 3]) {
      const { accounts, proof } = await loadArchives(place.folder, path, null, threads);
      expect(sorted(accounts)).toEqual(sorted(livingOf(mixed)));
      expect(proof.accountsHash).toBe("proved");
    }
  });

  test("is the same as many frames, skippable ones among them, as gzip, and as plain tar", async () => {
    const { fileName, tar } = syntheticArchive(100, mixed);
    const skippable = Buffer.from("532a4d180500000068656c6c6f", "hex");
    const cuts = [0, 700, 701, 40_000, tar.length];
    const frames = cuts.slice(1).map((end, index) => zstdCompressSync(tar.subarray(cuts[index], end)));
    const variants = [
      place.save(fileName, Buffer.concat([skippable, ...frames.flatMap((frame) => [frame, skippable])])),
      place.save(fileName.replace(/zst$/, "gz"), gzipSync(tar)),
      place.save(fileName.replace(/\.zst$/, ""), tar),
    ];
    for (const path of variants) {
      const { accounts } = await loadArchives(place.folder, path);
      expect(sorted(accounts)).toEqual(sorted(livingOf(mixed)));
    }
  });

  test("may list no storages, as Firedancer writes it", async () => {
    const storages = [{ slot: 100, id: 1, accounts: [storedAccount(1), storedAccount(2)] }];
    const archive = syntheticArchive(100, storages, { manifest: { storages: [] } });
    const { accounts } = await loadArchives(place.folder, place.saveArchive(archive));
    expect(sorted(accounts)).toEqual(sorted(livingOf(storages)));
  });
});

const later: readonly SyntheticStorage[] = [
  {
    slot: 110,
    id: 30,
    accounts: [
      tombstone("updated"),
      storedAccount("new", { lamports: 21n }),
      storedAccount("closed", { lamports: 22n }),
      tombstone("never there"),
    ],
  },
  { slot: 120, id: 31, accounts: [storedAccount("new", { lamports: 23n })] },
];

describe("an incremental archive", () => {
  test.each(eras)("of %s over its full archive gives the state of its slot", async (era) => {
    const full = place.saveArchive(syntheticArchive(100, writtenIn(era), { era }));
    const base = { slot: 100, storages: mixed };
    const incremental = place.saveArchive(syntheticArchive(120, later, { era, base }));
    const { accounts, proof } = await loadArchives(place.folder, full, incremental);
    expect(sorted(accounts)).toEqual(sorted(livingOf([...mixed, ...later])));
    expect(accounts.map(({ address }) => encodeAddress(address))).not.toContain(
      encodeAddress(addressOf("updated")),
    );
    expect(proof).toMatchObject({ slot: 120, accountsHash: "proved" });
  });

  test.each(["2.1", "2.2", "4.1"] as const)(
    "of %s may list storages of its base, which are in the full archive alone, or not",
    async (era) => {
      const full = place.saveArchive(syntheticArchive(100, mixed, { era }));
      const base = { slot: 100, storages: mixed };
      const running = syntheticArchive(120, later, { era, base });
      const tool = syntheticArchive(120, later, { era, base, manifest: { baseStorages: [] } });
      const renamed = { ...running, fileName: "latest.tar.zst" };
      for (const archive of [running, tool, renamed]) {
        const path = place.saveArchive(archive);
        const { accounts } = await loadArchives(place.folder, full, path);
        expect(sorted(accounts)).toEqual(sorted(livingOf([...mixed, ...later])));
      }
      // Read alone, its base is known by its name.
      const reader = { onManifest: () => {}, openStorage: () => null, onProgress: () => {} };
      const alone = await readArchive(await openArchiveSource(place.saveArchive(running)), reader);
      expect([alone.storages, alone.manifest.storages.size]).toEqual([2, later.length + mixed.length]);
    },
  );

  test("is refused where a storage above its base is missing, regardless of what it lists of its base", async () => {
    const full = place.saveArchive(syntheticArchive(100, mixed));
    const base = { slot: 100, storages: mixed };
    const extra = { slot: 101, id: 3, length: 8 };
    const { storages } = manifestOf(later);
    const manifest = { storages: [...storages, extra] };
    const path = place.saveArchive(syntheticArchive(120, later, { base, manifest }));
    await expect(loadArchives(place.folder, full, path)).rejects.toThrow(
      "1 storages of its manifest are missing, accounts/101.3 among them",
    );
  });

  test("has no say about slots up to its base", async () => {
    const old: SyntheticStorage = {
      slot: 100,
      id: 1,
      accounts: [storedAccount("updated", { lamports: 99n })],
    };
    const full = place.saveArchive(syntheticArchive(100, mixed));
    const right = syntheticArchive(120, later, { base: { slot: 100, storages: mixed } });
    const withOld = syntheticArchive(120, [...later, old], {
      base: { slot: 100, storages: mixed },
      manifest: manifestOf([...later, old]),
    });
    const incremental = place.saveArchive({ fileName: right.fileName, tar: withOld.tar });
    const { accounts } = await loadArchives(place.folder, full, incremental);
    expect(sorted(accounts)).toEqual(sorted(livingOf([...mixed, ...later])));
  });

  test("is refused over another full archive, with both slots", async () => {
    const full = place.saveArchive(syntheticArchive(100, mixed));
    const base = { slot: 101, storages: mixed };
    const { fileName, tar } = syntheticArchive(120, later, { base, era: "1.18" });
    const named = place.saveArchive({ fileName, tar });
    await expect(loadArchives(place.folder, full, named)).rejects.toThrow(/slot 101.*slot 100/);
    const renamed = place.saveArchive({ fileName: fileName.replace("-101-", "-100-"), tar });
    await expect(loadArchives(place.folder, full, renamed)).rejects.toThrow(/slot 101.*slot 100/);
  });

  test("is refused from another cluster, and as a full archive", async () => {
    const full = place.saveArchive(syntheticArchive(100, mixed));
    const base = { slot: 100, storages: mixed };
    const foreign = syntheticArchive(120, later, { base, manifest: { genesisCreationTime: 5n } });
    const path = place.saveArchive(foreign);
    await expect(loadArchives(place.folder, full, path)).rejects.toThrow("another cluster");
    await expect(loadArchives(place.folder, path)).rejects.toThrow("name its full archive first");
  });

  test("is found in a folder next to its full archive, the newest of several", async () => {
    place.saveArchive(syntheticArchive(100, mixed));
    place.saveArchive(syntheticArchive(60, [{ slot: 60, id: 1, accounts: [storedAccount("old")] }]));
    const base = { slot: 100, storages: mixed };
    place.saveArchive(syntheticArchive(110, later.slice(0, 1), { base }));
    place.saveArchive(syntheticArchive(120, later, { base }));
    place.save("tmp-snapshot-archive-snapshot-500-x.tar.zst", Buffer.alloc(3));
    const { proof } = await loadArchives(place.folder, place.folder);
    expect(proof.slot).toBe(120);
    place.save(`snapshot-100-${"1".repeat(32)}.tar.zst`, Buffer.alloc(3));
    await expect(loadArchives(place.folder, place.folder)).rejects.toThrow("different hashes");
  });
});

describe("what an archive says of itself", () => {
  const refused: readonly (readonly [string, Parameters<typeof syntheticArchive>[2], RegExp])[] = [
    ["another capitalization", { manifest: { capitalization: 5n } }, /capitalization is 5/],
    [
      "another lattice hash",
      { manifest: { latticeHash: new Uint8Array(2048) } },
      /hash in its name|lattice hash/,
    ],
    [
      "a storage that is missing",
      { manifest: { storages: [{ slot: 3, id: 3, length: 8 }] } },
      /not in the manifest/,
    ],
    ["another version", { version: "1.3.0" }, /1\.3\.0/],
    ["another accounts hash", { era: "1.18", manifest: { accountsHash: addressOf("x") } }, /accounts hash/],
  ];
  test.each(refused)("is held against its accounts: %s", async (_, options, reason) => {
    const path = place.saveArchive(syntheticArchive(100, mixed, options));
    await expect(loadArchives(place.folder, path)).rejects.toThrow(reason);
  });

  test("lists every storage once, with no more bytes than it has", async () => {
    const extra = manifestOf(mixed).storages;
    const missing = syntheticArchive(100, mixed, {
      manifest: { storages: [...extra, { slot: 3, id: 3, length: 8 }] },
    });
    await expect(loadArchives(place.folder, place.saveArchive(missing))).rejects.toThrow(/accounts\/3\.3/);
    const long = extra.map((one) => ({ ...one, length: one.length + 512 }));
    const tooLong = syntheticArchive(100, mixed, { manifest: { storages: long } });
    await expect(loadArchives(place.folder, place.saveArchive(tooLong))).rejects.toThrow(/manifest lists/);
  });

  test("names the archive and the kind of fault", async () => {
    const path = place.saveArchive(syntheticArchive(100, mixed, { manifest: { capitalization: 5n } }));
    const error: unknown = await loadArchives(place.folder, path).catch((caught: unknown) => caught);
    expect(isLamplightError(error, "SOURCE__SNAPSHOT_MISMATCH") && error.context.archive).toBe(path);
  });
});

/** The table of storages that these have. */
const manifestOf = (storages: readonly SyntheticStorage[]) => ({
  storages: storages.map(({ slot, id, accounts }) => {
    const last = accounts.at(-1)?.data.length ?? 0;
    const whole = accounts.reduce((sum, { data }) => sum + ((136 + data.length + 7) & ~7), 0);
    return { slot, id, length: whole - ((8 - (last % 8)) % 8) };
  }),
});
