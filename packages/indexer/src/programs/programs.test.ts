import { readdirSync } from "node:fs";
import { encodeAddress } from "@lamplight/codecs";
import { expect, test } from "vitest";
import { claimingPrograms, programs } from "./programs.ts";

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test("each folder is a program of the list in programs.ts, by its name", () => {
  expect(programs.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test("no two programs read the accounts of one owner", () => {
  const owners = claimingPrograms.map(encodeAddress);
  expect(owners).toEqual([...new Set(owners)]);
});

test("a program that reads transactions asks a stream for them", () => {
  const silent = programs.filter(
    ({ ledger, transactionsOf }) => ledger !== null && transactionsOf.length === 0,
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});
