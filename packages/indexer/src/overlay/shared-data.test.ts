import type { Account } from "@lamplight/core";
import { expect, test } from "vitest";
import type { Delta, Path } from "../engine/delta.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { Stage } from "../follow/stage.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import { dataBelow, sharedDataOf } from "./shared-data.ts";
import { SlotTree } from "./slot-tree.ts";
import { Standstill } from "./standstill.ts";

const address = new Uint8Array(32).fill(1);
const other = new Uint8Array(32).fill(2);
const large = (byte: number): Uint8Array => new Uint8Array(SHARED_DATA_BYTES_MIN).fill(byte);

const account = (data: Uint8Array, more: Partial<Account> = {}): Account => ({
  address,
  programOwner: other,
  lamports: 1n,
  executable: false,
  rentEpoch: 0n,
  data,
  slot: 7,
  writeVersion: 0,
  ...more,
});

const changesOf = (...accounts: readonly Account[]): Delta => {
  const draft = new DeltaDraft();
  for (const current of accounts) draft.setState({ current, lastLife: null }, null);
  return draft.finish({ slot: 7, blockhash: "hash" });
};

test("data that did not change are those of the nearest ancestor", () => {
  const near = large(2);
  const below = [changesOf(account(near)), changesOf(account(large(1)))];
  expect(sharedDataOf(account(large(2), { lamports: 5n }), below)).toBe(near);
});

test("of data that are a small view, a copy is shared", () => {
  const view = new Uint8Array(3 * SHARED_DATA_BYTES_MIN).subarray(0, SHARED_DATA_BYTES_MIN).fill(2);
  const shared = sharedDataOf(account(large(2)), [changesOf(account(view))])!;
  expect(shared).toEqual(view);
  expect(shared.buffer.byteLength).toBe(SHARED_DATA_BYTES_MIN);
  expect(sharedDataOf(account(large(2)), [changesOf(account(shared))])).toBe(shared);
});

test.each<[string, Account, Path]>([
  ["other data", account(large(2)), [changesOf(account(large(1)))]],
  [
    "data that an older ancestor had",
    account(large(1)),
    [2, 1].map((byte) => changesOf(account(large(byte)))),
  ],
  ["data of no ancestor", account(large(1)), []],
  ["small data", account(large(1).subarray(1)), [changesOf(account(large(1).subarray(1)))]],
])("%s are not shared", (_, written, below) => {
  expect(sharedDataOf(written, below)).toBeNull();
});

test("a stage keeps and counts shared data once", () => {
  const near = large(2);
  const stage = new Stage(8, 1);
  stage.addAccount(account(large(2), { lamports: 5n }));
  stage.addAccount(account(large(3), { address: other }));
  stage.setParent(7);
  for (let times = 0; times < 2; times += 1) stage.shareData([changesOf(account(near))]);
  expect(stage.bytes).toBe(SHARED_DATA_BYTES_MIN);
  const written = stage.updates().accounts.find(({ lamports }) => lamports === 5n);
  expect(written?.data).toBe(near);
  stage.addAccount(account(large(4), { writeVersion: 1 }));
  expect(stage.bytes).toBe(2 * SHARED_DATA_BYTES_MIN);
});

test("data below a slot are those of the nearest ancestor, else the finalized ones, without what lies beside them", async () => {
  const near = large(2);
  const finalized = large(3);
  const beside = new Uint8Array(3 * SHARED_DATA_BYTES_MIN).subarray(0, SHARED_DATA_BYTES_MIN);
  const path = [changesOf(account(near)), changesOf(account(large(1)))];
  expect(await dataBelow(path, async () => finalized)(address)).toBe(near);
  expect(await dataBelow(path, async () => finalized)(other)).toBe(finalized);
  expect(await dataBelow(path, async () => null)(other)).toBeNull();
  const copied = await dataBelow([changesOf(account(beside))], async () => null)(address);
  expect(copied!.buffer.byteLength).toBe(SHARED_DATA_BYTES_MIN);
});

test("slots count shared data once, from the first to the last one that has it", () => {
  const tree = new SlotTree({ slot: 10, blockhash: null }, new Standstill());
  const data = large(1);
  const changes = changesOf(account(data));
  const node = { changes, reported: null, reportedBytes: 5, blockhash: null, filled: 0 };
  const bytes = (): number => tree.state().unfinalizedBytes;
  for (const slot of [11, 12, 13]) tree.add({ ...node, slot, parent: slot - 1 });
  expect(bytes()).toBe(data.length + 15);
  tree.replace(tree.nodes());
  expect(bytes()).toBe(data.length + 15);
  tree.moveFinalizedTo(11);
  expect(bytes()).toBe(data.length + 10);
  tree.drop(13);
  expect(bytes()).toBe(data.length + 5);
  tree.drop(12);
  expect(bytes()).toBe(0);
  tree.add({ ...node, slot: 12, parent: 11 });
  tree.clear();
  tree.add({ ...node, slot: 12, parent: 11 });
  expect(bytes()).toBe(data.length + 5);
});
