import { encodeAddress, programAddresses } from "@lamplight/codecs";
import type { Account, LedgerState } from "@lamplight/core";
import { addressOf, BubblegumTree, metadataV1, metadataV2 } from "@lamplight/devchain";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  alice,
  bob,
  carol,
  foldAll,
  viewOf,
  documentOf,
  coverageOf,
  withInner,
  withData,
  withoutLeafEvent,
  flipped,
  historyOf,
} from "../../../test/leaf-history.ts";
import type { KnownAccount } from "../../rules/rules.ts";
import { bubblegumLedger } from "./bubblegum-ledger.ts";
import { compressedKind } from "./derive-leaf.ts";

describe("the Bubblegum ledger", () => {
  test("ends in the same states in any order and repetition of transactions", () => {
    const steps = fc.array(fc.nat(2 ** 20), { minLength: 2, maxLength: 25 });
    fc.assert(
      fc.property(steps, fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), (chosen, picks) => {
        const history = historyOf(chosen);
        const shuffled = picks.flatMap((pick) => history[pick % Math.max(1, history.length)] ?? []);
        const rest = history.filter((transaction) => !shuffled.includes(transaction)).toReversed();
        const inOrder = foldAll(history);
        expect(inOrder.problems).toEqual([]);
        const otherwise = foldAll([...shuffled, ...rest]);
        expect(Object.fromEntries(otherwise.states)).toEqual(Object.fromEntries(inOrder.states));
      }),
      { numRuns: 300 },
    );
  });

  test("folds events one by one and all at once alike", () => {
    const tree = new BubblegumTree(1);
    const events = [tree.mintV1(alice), tree.transfer(0, bob), tree.update(0, "New")].flatMap((transaction) =>
      bubblegumLedger.read(transaction, () => {}).filter(({ kind }) => kind === "leaf"),
    );
    let oneByOne: LedgerState | null = null;
    for (const event of events) oneByOne = bubblegumLedger.fold(oneByOne, [event], () => {});
    expect(bubblegumLedger.fold(null, events, () => {})).toEqual(oneByOne);
  });

  test("rebuilds the leaf where its event is missing, for every instruction but cancel_redeem", () => {
    const tree = new BubblegumTree(1);
    const collection = { address: addressOf(77), verified: true };
    const history = [
      tree.mintV1(alice),
      tree.mintV2(alice, metadataV2({ collection })),
      tree.transfer(0, bob),
      tree.delegate(0, carol),
      tree.update(0, "Renamed"),
    ];
    const expected = foldAll(history);
    const rebuilt = foldAll(history.map(withoutLeafEvent));
    expect(rebuilt.problems).toEqual([]);
    expect(rebuilt.states).toEqual(expected.states);
    const { leaf } = tree.held[0] as { leaf: { version: number } };
    expect(leaf.version).toBe(1);
    const restore = [tree.redeem(0), withoutLeafEvent(tree.cancelRedeem(0))];
    expect(foldAll([...history, ...restore]).problems).toEqual(["leaf-missing"]);
  });

  test("rebuilds set_non_transferable_v2, whose early deployment announced no leaf", () => {
    const tree = new BubblegumTree(1);
    const history = [tree.mintV2(alice), withoutLeafEvent(tree.setFlags(0, "set_non_transferable_v2", 4))];
    expect(foldAll(history).problems).toEqual([]);
    expect(documentOf(history, tree.idOf(0))?.ownership).toMatchObject({
      non_transferable: true,
      frozen: false,
    });
  });

  test.each([
    [
      "the leaf event is damaged",
      withInner(([leaf, log]) => [flipped(leaf as Uint8Array, 50), log as Uint8Array]),
    ],
    [
      "the leaf event is cut short",
      withInner(([leaf, log]) => [(leaf as Uint8Array).subarray(0, 90), log as Uint8Array]),
    ],
    [
      "foreign payloads stand around",
      withInner((all) => [Uint8Array.of(1, 2, 3), ...all, new Uint8Array(0)]),
    ],
  ])("still finds the change when %s", (_, change) => {
    const tree = new BubblegumTree(1);
    const history = [tree.mintV1(alice), tree.transfer(0, bob)];
    const { problems, states } = foldAll(history.map(change));
    expect(problems).toEqual([]);
    expect(states).toEqual(foldAll(history).states);
  });

  test("counts a change that cannot be proved, applies nothing of it and leaves a gap", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    // The new owner in the event and the one among the accounts are both wrong: no candidate hashes to the leaf.
    const forged = withInner(([leaf, log]) => [flipped(leaf as Uint8Array, 60), log as Uint8Array]);
    const transfer = forged(tree.transfer(0, bob));
    const group = transfer.groups[0] as (typeof transfer.groups)[0];
    const accounts = group.outer.accounts.map((account, position) => (position === 3 ? carol : account));
    const lie = { ...transfer, groups: [{ ...group, outer: { ...group.outer, accounts } }] };
    const later = tree.delegate(0, carol);
    expect(foldAll([mint, lie]).problems).toEqual(["leaf-mismatch"]);
    expect(documentOf([mint, lie], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(alice));
    expect(coverageOf([mint, lie, later], tree)).toEqual({ completeThroughSeq: 1, highestSeq: 3 });
  });

  test("keeps the leaf but not the metadata that do not hash to it", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const lie = withData((data) => flipped(data, 12))(mint);
    expect(foldAll([lie]).problems).toEqual(["metadata-mismatch"]);
    const document = documentOf([lie], tree.idOf(0));
    expect(document?.ownership["owner"]).toBe(encodeAddress(alice));
    expect(document?.content.metadata.name).toBe("");
    expect(documentOf([lie, mint], tree.idOf(0))?.content.metadata.name).toBe("Lamp");
  });

  test("does not show metadata that a missing change has made untrue", () => {
    const tree = new BubblegumTree(1);
    const [mint, update, transfer] = [tree.mintV1(alice), tree.update(0, "New"), tree.transfer(0, bob)];
    expect(documentOf([mint, transfer], tree.idOf(0))?.content.metadata.name).toBe("");
    expect(documentOf([mint, transfer, update], tree.idOf(0))?.content.metadata.name).toBe("New");
    expect(coverageOf([mint, transfer], tree)).toEqual({ completeThroughSeq: 1, highestSeq: 3 });
    expect(coverageOf([transfer, update, mint], tree)).toEqual({ completeThroughSeq: 3, highestSeq: 3 });
  });

  test("counts changes by their number where several fall into one slot", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const people = Array.from({ length: 11 }, (_, index) => addressOf(100 + index));
    const moves = people.map((person) => ({ ...tree.transfer(0, person), slot: 5 }));
    const last = { owner: encodeAddress(people[10] as Uint8Array) };
    for (const order of [moves, moves.toReversed()]) {
      const document = documentOf([{ ...mint, slot: 5 }, ...order], tree.idOf(0));
      expect(document).toMatchObject({ ownership: last, compression: { seq: 12 } });
    }
  });

  test("applies nothing where the change is about another leaf than the instruction", () => {
    const tree = new BubblegumTree(1);
    const mints = [tree.mintV1(alice), tree.mintV1(bob)];
    const burn = tree.burn(0);
    const [group] = tree.burn(1).groups;
    const mixed = { ...burn, groups: burn.groups.map(({ outer }) => ({ outer, inner: group?.inner ?? [] })) };
    expect(foldAll([...mints, mixed]).problems).toEqual(["place-mismatch"]);
    for (const nonce of [0, 1]) {
      expect(documentOf([...mints, mixed], tree.idOf(nonce))).toMatchObject({ burnt: false });
    }
  });

  test("shows an asset first seen by a transfer, without what only its mint says", () => {
    const tree = new BubblegumTree(1);
    tree.mintV1(alice);
    const document = documentOf([tree.transfer(0, bob)], tree.idOf(0));
    expect(document?.ownership).toMatchObject({ owner: encodeAddress(bob), delegate: null });
    expect(document?.content.json_uri).toBe("");
  });

  test("keeps owner and hashes of a burnt asset, and knows the burnt even without its mint", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const before = documentOf([mint], tree.idOf(0));
    const burn = tree.burn(0);
    const after = documentOf([burn, mint], tree.idOf(0));
    expect(after).toMatchObject({ burnt: true, ownership: before?.ownership });
    expect(after?.compression).toEqual({ ...before?.compression, seq: 2 });
    expect(documentOf([burn], tree.idOf(0))).toMatchObject({ burnt: true, ownership: { owner: "" } });
  });

  test("empties a redeemed leaf and brings it back when the redeeming is cancelled", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const before = documentOf([mint], tree.idOf(0));
    const zeros = encodeAddress(new Uint8Array(32));
    const redeem = tree.redeem(0);
    expect(documentOf([redeem, mint], tree.idOf(0))).toMatchObject({
      burnt: false,
      ownership: { owner: encodeAddress(alice) },
      compression: { compressed: true, data_hash: zeros, creator_hash: zeros, asset_hash: zeros, seq: 2 },
    });
    const restored = documentOf([mint, tree.cancelRedeem(0), redeem], tree.idOf(0));
    expect(restored?.compression).toEqual({ ...before?.compression, seq: 3 });
  });

  test("shows flags of V2 leaves", () => {
    const tree = new BubblegumTree(1);
    const history = [tree.mintV2(alice)];
    const seen = [0, 1, 2, 3, 4, 5].map((flags) => {
      history.push(tree.setFlags(0, flags === 0 ? "thaw_v2" : "freeze_v2", flags));
      return documentOf(history, tree.idOf(0))?.ownership;
    });
    expect(seen.map((ownership) => [ownership?.["frozen"], ownership?.["non_transferable"]])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, false],
      [false, true],
      [true, true],
    ]);
  });

  test("shows a verified collection and its creators as the metadata prove them", () => {
    const tree = new BubblegumTree(1);
    const collection = { address: addressOf(77), verified: false };
    const history = [
      tree.mintV1(
        alice,
        metadataV1({ collection, uses: { method: 1, remaining: 2n ** 63n, total: 2n ** 64n - 1n } }),
      ),
    ];
    const state = foldAll(history).states.get(`leaf ${encodeAddress(tree.idOf(0))}`);
    const record = compressedKind.derive(viewOf(tree.idOf(0), state))?.record;
    expect(record?.groups).toEqual([
      { key: "collection", value: encodeAddress(addressOf(77)), verified: false },
    ]);
    expect(record?.uses).toEqual({ useMethod: "multiple", remaining: 2n ** 63n, total: 2n ** 64n - 1n });
    expect(documentOf(history, tree.idOf(0))?.grouping).toEqual([]);
  });

  test("takes the later slot where two forks say different things about one change, in any order", () => {
    const tree = new BubblegumTree(1);
    const fork = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    fork.mintV1(alice);
    fork.slot += 5;
    const [here, there] = [tree.transfer(0, bob), fork.transfer(0, carol)];
    for (const order of [
      [mint, here, there],
      [there, mint, here],
      [here, there, mint],
    ]) {
      expect(documentOf(order, tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(carol));
      expect(foldAll(order).problems).toEqual(["fork-conflict"]);
    }
  });
});

const knownAccount = (programOwner: Uint8Array): KnownAccount => {
  const current: Account = {
    address: alice,
    programOwner,
    lamports: 1n,
    executable: false,
    rentEpoch: 0n,
    data: new Uint8Array(0),
    slot: 1,
    writeVersion: 0,
  };
  return { current, claiming: current, closed: false };
};

describe("the compressed kind", () => {
  test("gives way to the token once its mint and metadata are known, and not before", () => {
    const tree = new BubblegumTree(1);
    const id = tree.idOf(0);
    const state = foldAll([tree.mintV1(alice), tree.redeem(0)]).states.get(`leaf ${encodeAddress(id)}`);
    const self = knownAccount(programAddresses.token);
    const linked = (): readonly KnownAccount[] => [knownAccount(programAddresses.tokenMetadata)];
    expect(compressedKind.derive(viewOf(id, state, { self }))).not.toBeNull();
    expect(compressedKind.derive(viewOf(id, state, { self, linked }))).toBeNull();
  });
});
