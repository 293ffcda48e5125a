import { zstdDecompressSync } from "node:zlib";
import { type Account, emptyChangeSet, type LedgerKind, NodeBlock } from "@lamplight/core";
import { describe, expect, test } from "vitest";
import { addressKey } from "../engine/address-map.ts";
import { DeltaDraft } from "../engine/delta-draft.ts";
import { tokenAccount } from "../../test/encode-accounts.ts";
import { decodeSlotBody, encodeSlotBody } from "./slot-body.ts";

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
    const again = await decodeSlotBody(await encodeSlotBody({ reported: "fingerprint", changes }));
    for (const list of Object.keys(emptyChangeSet) as (keyof typeof emptyChangeSet)[])
      expect(again!.changes[list]).toEqual(changes[list]);
    expect(again!.reported).toBe("fingerprint");
    expect(again!.changes.holdings).toEqual(changes.holdings);
    expect([...changes.holdings.keys()]).toEqual([addressKey(idOf(2)), addressKey(idOf(6))]);
    expect(again!.changes.delegatedTo(idOf(9))).toEqual(changes.delegatedTo(idOf(9)));
    expect(changes.delegatedTo(idOf(9))).toHaveLength(1);
    expect(again!.changes.links).toEqual(changes.links);
  });

  test("has the format that versions without blocks of nodes can read, unless it has blocks", async () => {
    expect(await formatOf("tree")).toEqual([4, true]);
    expect(await formatOf("nodes")).toEqual([5, true]);
    expect(await formatOf("node")).toEqual([4, false]);
  });

  test("that is none, or another version's, is not read", async () => {
    expect(await decodeSlotBody(Uint8Array.of(1, 2, 3))).toBe(null);
    expect(await decodeSlotBody(new Uint8Array(0))).toBe(null);
  });
});
