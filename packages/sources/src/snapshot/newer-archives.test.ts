// Archives as Agave writes them from 4.3 on (frames of zstd) and from 4.4 on (no storages in the manifest).

import { hash } from "node:crypto";
import { join } from "node:path";
import { encodeAddress } from "@lamplight/codecs";
import type { Account } from "@lamplight/core";
import { writeFrames } from "@lamplight/devchain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findSnapshotSources } from "./archive/find-archives.ts";
import { PARTITIONS_MAX } from "./snapshot-limits.ts";
import { stageSnapshot } from "./stage/stage-snapshot.ts";
import { loadArchives } from "../../test/load-archives.ts";
import {
  addressOf,
  livingOf,
  storedAccount,
  syntheticArchive,
  type SyntheticOptions,
  type SyntheticStorage,
  tombstone,
  Workplace,
} from "../../test/synthetic-archive.ts";

let place: Workplace;
beforeEach(() => {
  place = new Workplace();
});
afterEach(() => place.remove());

/** The members of an account that are compared. */
const summaryOf = ({ address, lamports, data, slot }: Account) =>
  `${encodeAddress(address)} ${lamports} ${slot} ${hash("sha256", data)}`;
const sorted = (accounts: readonly Account[]) => accounts.map(summaryOf).toSorted();

const MIB = 1024 * 1024;
const FRAME_BYTES = 32 * MIB;

/** Closed accounts stay in a full archive next to the older versions of them. */
const withTombstones: readonly SyntheticStorage[] = [
  { slot: 90, id: 4, accounts: ["closed", "kept", "changed"].map((name) => storedAccount(name)) },
  { slot: 99, id: 7, accounts: [storedAccount("changed", { data: new Uint8Array(9).fill(1) })] },
  { slot: 100, id: 8, accounts: [tombstone("closed"), tombstone("opened and closed")] },
];

const later: readonly SyntheticStorage[] = [
  { slot: 110, id: 11, accounts: [tombstone("kept"), storedAccount("new")] },
  { slot: 120, id: 12, accounts: [storedAccount("closed", { lamports: 5n })] },
];

const saveFrames = (
  slot: number,
  storages: readonly SyntheticStorage[],
  options: SyntheticOptions,
  bytesOfFrame = FRAME_BYTES,
): string => {
  const { fileName, tar } = syntheticArchive(slot, storages, options);
  return place.save(fileName, writeFrames(tar, bytesOfFrame));
};

describe("an archive of Agave 4.3", () => {
  test("comes in frames of 32 MiB, and is proved", async () => {
    const large = Array.from({ length: 4 }, (_, index) =>
      storedAccount(`large ${index}`, { data: new Uint8Array(10 * MIB - index).fill(index) }),
    );
    const storages = [...withTombstones, { slot: 98, id: 3, accounts: large }];
    const { fileName, tar } = syntheticArchive(100, storages, { era: "4.1" });
    expect(Math.ceil(tar.length / FRAME_BYTES)).toBe(2);
    const path = place.save(fileName, writeFrames(tar));
    const { accounts, proof } = await loadArchives(place.folder, path);
    expect(sorted(accounts)).toEqual(sorted(livingOf(storages)));
    expect(proof).toMatchObject({
      accountsHash: "proved",
      bankHashProved: true,
      counts: { living: 6, tombstones: 2 },
    });
  });

  // Borders between headers, inside of a header, of the manifest and of a record.
  test.each([512, 700, 4096, 65_536])("may change its frame every %d bytes", async (bytes) => {
    const path = saveFrames(100, withTombstones, { era: "4.1" }, bytes);
    const { accounts, proof } = await loadArchives(place.folder, path);
    expect(sorted(accounts)).toEqual(sorted(livingOf(withTombstones)));
    expect(proof.accountsHash).toBe("proved");
  });

  test("is refused without its last frame, and without one in between", async () => {
    const { fileName, tar } = syntheticArchive(100, withTombstones, { era: "4.1" });
    const half = Math.floor(tar.length / 1024) * 512;
    for (const bytes of [
      writeFrames(tar.subarray(0, half)),
      writeFrames(Buffer.concat([tar.subarray(0, half), tar.subarray(half + 512)])),
    ])
      await expect(loadArchives(place.folder, place.save(fileName, bytes))).rejects.toMatchObject({
        code: expect.stringMatching(/^SOURCE__SNAPSHOT_(DAMAGED|REFUSED|MISMATCH)$/) as string,
      });
  });
});

describe("an archive of Agave 4.4", () => {
  test.each([12_500, null])(
    "lists no storages and is proved, with %s hashes per tick",
    async (hashesPerTick) => {
      const path = saveFrames(100, withTombstones, { era: "4.4", manifest: { hashesPerTick, stakes: 2 } });
      const { accounts, proof } = await loadArchives(place.folder, path);
      expect(sorted(accounts)).toEqual(sorted(livingOf(withTombstones)));
      expect(accounts.map(({ address }) => encodeAddress(address))).not.toContain(
        encodeAddress(addressOf("closed")),
      );
      expect(proof).toMatchObject({
        accountsHash: "proved",
        bankHashProved: true,
        storages: 3,
        manifestFault: null,
      });
    },
  );

  test.each([
    ["of 4.4 over one of 4.4", "4.4", "4.4"],
    ["of 4.4 over one of 4.3, after an upgrade", "4.1", "4.4"],
    ["of 4.3 over one of 4.4, after a downgrade", "4.4", "4.1"],
  ] as const)("extends a full one: %s", async (_, fullEra, era) => {
    const full = saveFrames(100, withTombstones, { era: fullEra });
    const base = { slot: 100, storages: withTombstones };
    const incremental = saveFrames(120, later, { era, base });
    const { accounts, proof } = await loadArchives(place.folder, full, incremental);
    expect(sorted(accounts)).toEqual(sorted(livingOf([...withTombstones, ...later])));
    expect(proof).toMatchObject({ slot: 120, accountsHash: "proved", bankHashProved: true });
  });

  const others: readonly (readonly [string, readonly SyntheticStorage[], string])[] = [
    ["without one of its storages", withTombstones.slice(1), "capitalization"],
    ["without one that changes no balance", withTombstones.toSpliced(1, 1), "lattice hash"],
    ["without a tombstone", withTombstones.slice(0, 2), "capitalization"],
    [
      "with one storage too many",
      [...withTombstones, { slot: 97, id: 1, accounts: [storedAccount("foreign")] }],
      "capitalization",
    ],
  ];
  test.each(others)("is refused %s", async (_, archived, what) => {
    const path = saveFrames(100, withTombstones, { era: "4.4", archived });
    await expect(loadArchives(place.folder, path)).rejects.toMatchObject({
      code: "SOURCE__SNAPSHOT_MISMATCH",
      context: { what },
    });
  });

  test("is refused where a storage comes twice", async () => {
    const archived = [...withTombstones, withTombstones[1]!];
    const path = saveFrames(100, withTombstones, { era: "4.4", archived });
    await expect(loadArchives(place.folder, path)).rejects.toThrow("the storage comes twice");
  });

  test("is split into the most partitions where its size is unknown, so that each fits into memory", async () => {
    const path = saveFrames(100, withTombstones, { era: "4.4" });
    const { full } = await findSnapshotSources(path, null);
    const staged = await stageSnapshot(
      { full: { ...full, sizeBytes: null }, incremental: null },
      {
        folder: join(place.folder, "stage"),
        selection: { key: "everything", keepsData: null },
        onProgress: () => {},
      },
    );
    await staged.saved;
    expect(2 ** staged.state.bits).toBe(PARTITIONS_MAX);
  });
});
