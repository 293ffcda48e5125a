import { expect, test } from "vitest";
import { machineFor } from "./machines.ts";
import { bytesEach } from "./stored-bytes.ts";

test("a table counts for what it grows with, and tables of slots count for nothing", () => {
  const tables = [
    { table: "account", bytes: 1000 },
    { table: "tombstone", bytes: 200 },
    { table: "asset", bytes: 500 },
    { table: "asset_document", bytes: 1500 },
    { table: "holding", bytes: 90 },
    { table: "unrooted_slot", bytes: 1_000_000 },
  ];
  expect(bytesEach(tables, { account: 10, asset: 4, holding: 3 })).toEqual({
    account: 120,
    asset: 500,
    holding: 30,
  });
});

test("a machine holds its share of mainnet twice over on disk, and the index in memory", () => {
  const each = { account: 100, asset: 1000, holding: 10 };
  const { storedBytes, diskBytes, indexBytes, cost } = machineFor(each, 0.01, 40, {
    diskPerTerabyte: 100,
    memoryPerGigabyte: 0,
  });
  expect(storedBytes).toBeCloseTo(0.01 * (1.2e9 * 100 + 1e9 * 1000 + 0.9e9 * 10), 0);
  expect(diskBytes).toBeCloseTo(2 * storedBytes, 0);
  expect(indexBytes).toBeCloseTo(0.4e9, 0);
  expect(cost).toBeCloseTo((diskBytes / 1e12) * 100, 6);
});
