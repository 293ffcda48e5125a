import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeStorage } from "@lamplight/devchain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storedAccount, Workplace } from "../../../test/synthetic-archive.ts";
import { partitionBytesMax } from "../snapshot-limits.ts";
import { writeStageState } from "../stage/stage-state.ts";
import { createPartitionMerger } from "./partition-merger.ts";
import { FULL_ORIGIN, partitionOf } from "./partition-record.ts";
import { partitionFile, PartitionWriter } from "./partition-writer.ts";

const account = storedAccount("a");
const partition = partitionOf(Buffer.from(account.address).readUInt16BE(0), 1);
const settings = { bits: 1, lattice: null, merkle: true };
/** Takes every write as a disk does that has no room. */
const fullDevice = "/dev/full";

let place: Workplace;
let file = "";
beforeEach(() => {
  place = new Workplace();
  file = partitionFile(place.folder, partition);
});
afterEach(() => place.remove());

/** Adds one record behind as many bytes, and answers what its file then has. */
const writeBehind = (bytes: number): number => {
  const lengths = [0, 0];
  lengths[partition] = bytes;
  const writer = new PartitionWriter(place.folder, 1, lengths);
  try {
    const storage = writeStorage([account]);
    const where = { slot: 1, id: 1, offset: 0, origin: FULL_ORIGIN };
    writer.add(storage, 0, account.data.length, where, false);
    return writer.flush()[partition] as number;
  } finally {
    writer.close();
  }
};

describe("a partition above the bound", () => {
  const refusal = { code: "SOURCE__SNAPSHOT_REFUSED", message: expect.stringContaining("one partition") };

  test("is refused as soon as it is written", () => {
    const record = writeBehind(0);
    // Lengths are multiples of eight.
    const bytesMax = partitionBytesMax() - (partitionBytesMax() % 8);
    expect(writeBehind(bytesMax - record)).toBe(bytesMax);
    expect(() => writeBehind(bytesMax - record + 8)).toThrow(expect.objectContaining(refusal));
  });

  test("is refused where it is merged", () => {
    const task = { partition, file, length: partitionBytesMax() + 8 };
    expect(() => createPartitionMerger(settings)(task)).toThrow(expect.objectContaining(refusal));
  });
});

test("a partition file that lost bytes is damaged", () => {
  const length = writeBehind(0) + 8;
  expect(() => createPartitionMerger(settings)({ partition, file, length })).toThrow(
    expect.objectContaining({ code: "SOURCE__SNAPSHOT_DAMAGED" }),
  );
});

describe.skipIf(!existsSync(fullDevice))("a full disk is named", () => {
  const full = expect.objectContaining({ code: "STORE__FULL" });

  test("when the state of a stage is written", () => {
    symlinkSync(fullDevice, join(place.folder, "stage.json.partial"));
    expect(() => writeStageState(place.folder, { version: 1 } as never)).toThrow(full);
    expect(existsSync(join(place.folder, "stage.json"))).toBe(false);
  });

  test("when the hashes of a partition are written", () => {
    const length = writeBehind(0);
    symlinkSync(fullDevice, `${file}.full-hashes`);
    expect(() => createPartitionMerger(settings)({ partition, file, length })).toThrow(full);
  });
});
