import type { Account, UnfinalizedState } from "@lamplight/core";
import { expect, test } from "vitest";
import { account, key } from "../../test/encode-accounts.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { decodeSlots, type KnownSlot } from "./known-slots.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import { encodeSlotBody } from "./slot-body.ts";

const large = new Uint8Array(SHARED_DATA_BYTES_MIN).fill(1);
const other = new Uint8Array(SHARED_DATA_BYTES_MIN).fill(2);
const written = account(key(1), key(2), large, 12);

const nothing: ReadonlyMap<number, KnownSlot> = new Map();

const changesOf = (...accounts: readonly Account[]) => {
  const draft = new DeltaDraft();
  for (const current of accounts) draft.setState({ current, lastLife: null }, null);
  return draft.finish(null);
};

/** Slot 12 leaves the data as they are below it. Slot 11 was published by another version. */
const published = async (): Promise<UnfinalizedState["slots"]> => {
  const body = await encodeSlotBody({ reported: null, changes: changesOf(written) }, async () => large);
  const slots = [
    { slot: 11, parent: 10, body: Uint8Array.of(0) },
    { slot: 12, parent: 11, body },
  ];
  return slots.map((one) => ({ ...one, blockhash: null, revision: 7 }));
};

const dataIn = (slots: ReadonlyMap<number, KnownSlot>): Uint8Array | undefined =>
  slots.get(12)?.node?.changes.writes.get(written.address)?.state.current.data;

test("a slot whose ancestor is not read is asked for again, and read once that ancestor is finalized", async () => {
  const slots = await published();
  const reads: Uint8Array[] = [];
  const readFinalized = async (address: Uint8Array): Promise<Uint8Array> => {
    reads.push(address);
    return large;
  };
  const known = await decodeSlots(slots, 10, nothing, readFinalized);
  expect(known.get(11)).toEqual({ revision: 7, node: null });
  expect(known.has(12)).toBe(false);
  expect(reads).toEqual([]);
  const later = await decodeSlots(slots.slice(1), 11, known, readFinalized);
  expect(dataIn(later)).toBe(large);
  expect(reads).toEqual([written.address]);
  const unchanged = slots.slice(1).map((one) => ({ ...one, body: null }));
  expect((await decodeSlots(unchanged, 11, later, readFinalized)).get(12)).toBe(later.get(12));
});

test.each([[other], [large.subarray(1)], [null]])(
  "a slot is asked for again where the finalized data are not those that it refers to",
  async (found) => {
    const [, slot] = await published();
    const known = await decodeSlots([slot!], 11, nothing, async () => found);
    expect(known.has(12)).toBe(false);
    expect(dataIn(await decodeSlots([slot!], 11, known, async () => large))).toBe(large);
  },
);

test("a slot on another finalized slot is not read from the finalized data", async () => {
  const [, slot] = await published();
  const known = await decodeSlots([slot!], 10, nothing, async () => large);
  expect(known.has(12)).toBe(false);
});
