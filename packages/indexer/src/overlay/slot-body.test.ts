import { randomBytes } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { type Account, emptyChangeSet, type LedgerKind, NodeBlock, setUsableMemory } from "@lamplight/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { addressKey } from "../engine/address-map.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { tokenAccount } from "../../test/encode-accounts.ts";
import { SHARED_DATA_BYTES_MIN } from "./limits.ts";
import type { DataBelow } from "./shared-data.ts";
import { decodeSlotBody, encodeSlotBody } from "./slot-body.ts";
import type { SlotContent } from "./slot-tree.ts";

const idOf = (number: number): Uint8Array => new Uint8Array(32).fill(number);

const account = (number: number, data: Uint8Array): Account => ({
  address: idOf(number),
  programOwner: idOf(0),
  lamports: 2n ** 64n - 1n,
  executable: false,
  rentEpoch: 2n ** 64n - 1n,
  data,
  slot: 7,
  writeVersion: 2 ** 53 - 1,
});

const contentOf = async (body: Uint8Array, below?: DataBelow): Promise<SlotContent> => {
  const content = await decodeSlotBody(body, below);
  if (content === null || content === "missing") throw new Error(`it is ${content}`);
  return content;
};

const formatOf = async (kind: LedgerKind | "node"): Promise<readonly [number, boolean]> => {
  const draft = new DeltaDraft();
  draft.setLedger({
    key: idOf(6),
    kind: kind as LedgerKind,
    tree: idOf(6),
    state: NodeBlock.empty().write(),
  });
  const body = await encodeSlotBody({ reported: null, changes: draft.finish(null) });
  return [zstdDecompressSync(body)[0]!, (await decodeSlotBody(body)) !== null];
};

describe("a slot's body", () => {
  test("is the same slot again: exact numbers, bytes, order, and holdings as they were before", async () => {
    const draft = new DeltaDraft();
    // A part of a larger buffer, as bytes from the network are.
    const data = new Uint8Array(1000).map((_, index) => index).subarray(100, 400);
    draft.setState({ current: account(5, data), lastLife: null }, null);
    draft.setState({ current: account(1, new Uint8Array(0)), lastLife: account(1, data) }, null);
    const held = { mint: idOf(3), amount: 1n, delegate: idOf(9) };
    const before = tokenAccount(idOf(4), 6, { ...held, owner: idOf(2) });
    const after = tokenAccount(idOf(4), 7, { ...held, owner: idOf(6) });
    draft.setState({ current: after, lastLife: null }, { current: before, lastLife: null });
    draft.addLink({ role: "holder", target: idOf(3), source: idOf(1) });
    draft.removeLink({ role: "holder", target: idOf(3), source: idOf(4) });
    draft.seen.set(idOf(3), 5);
    draft.setAsset(idOf(7), null);
    draft.setEdition(idOf(8), null);
    draft.setLedger({ key: idOf(6), kind: "tree", tree: idOf(6), state: "{}" });
    const changes = draft.finish(null);
    const again = await contentOf(await encodeSlotBody({ reported: "fingerprint", changes }));
    for (const list of Object.keys(emptyChangeSet) as (keyof typeof emptyChangeSet)[])
      expect(again.changes[list]).toEqual(changes[list]);
    expect(again.reported).toBe("fingerprint");
    expect(again.changes.holdings).toEqual(changes.holdings);
    expect([...changes.holdings.keys()]).toEqual([addressKey(idOf(2)), addressKey(idOf(6))]);
    expect(again.changes.delegatedTo(idOf(9))).toEqual(changes.delegatedTo(idOf(9)));
    expect(changes.delegatedTo(idOf(9))).toHaveLength(1);
    expect(again.changes.links).toEqual(changes.links);
  });

  test("has the format that versions without blocks of nodes can read, unless it has blocks", async () => {
    expect(await formatOf("tree")).toEqual([4, true]);
    expect(await formatOf("nodes")).toEqual([5, true]);
    expect(await formatOf("node")).toEqual([4, false]);
  });

  test("refers to large data that the slot leaves as they are below it", async () => {
    const draft = new DeltaDraft();
    const [large, small] = [randomBytes(SHARED_DATA_BYTES_MIN), randomBytes(SHARED_DATA_BYTES_MIN - 1)];
    const life = account(1, randomBytes(1000));
    const lists = { same: large, other: randomBytes(SHARED_DATA_BYTES_MIN), small };
    for (const [index, data] of Object.values(lists).entries())
      draft.setState({ current: account(index, data), lastLife: life }, null);
    const changes = draft.finish(null);
    const below: DataBelow = async ([number]) => (number === 2 ? small : large);
    const body = await encodeSlotBody({ reported: null, changes }, below);
    expect(zstdDecompressSync(body)[0]).toBe(6);
    const whole = await encodeSlotBody({ reported: null, changes });
    expect(zstdDecompressSync(whole)[0]).toBe(4);
    expect(whole.length - body.length).toBeGreaterThan(large.length - 500);
    const again = await contentOf(body, async (address) => {
      expect(address.buffer.byteLength).toBe(address.length);
      return below(address);
    });
    expect(again.changes.accounts).toEqual(changes.accounts);
    expect(again.changes.accounts[0]!.state.current.data).toBe(large);
    for (const found of [null, lists.other, large.subarray(1)])
      expect(await decodeSlotBody(body, async () => found)).toBe("missing");
  });

  test("is not read where it and the data that it refers to are too large", async () => {
    const data = new Uint8Array(32 * 1024 ** 2);
    const draft = new DeltaDraft();
    draft.setState({ current: account(5, data), lastLife: null }, null);
    const below: DataBelow = async () => data;
    const body = await encodeSlotBody({ reported: null, changes: draft.finish(null) }, below);
    expect((await contentOf(body, below)).changes.bytes).toBe(data.length);
    setUsableMemory(String(8 * data.length));
    onTestFinished(() => setUsableMemory(undefined));
    expect(await decodeSlotBody(body, below)).toBeNull();
  });

  test("that is none, or another version's, is not read", async () => {
    expect(await decodeSlotBody(Uint8Array.of(1, 2, 3))).toBe(null);
    expect(await decodeSlotBody(new Uint8Array(0))).toBe(null);
  });
});
