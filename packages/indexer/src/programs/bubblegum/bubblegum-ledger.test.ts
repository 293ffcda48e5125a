import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import {
  type Account,
  type LedgerState,
  parseTreeState,
  type Transaction,
  treeCoverageOf,
} from "@lamplight/core";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shapeDocument } from "../../record/shape-document.ts";
import type { AssetView, KnownAccount } from "../../rules/rules.ts";
import { addressOf, BubblegumTree, metadataV1, metadataV2, noop } from "@lamplight/devchain";
import { bubblegumLedger } from "./bubblegum-ledger.ts";
import { compressedKind } from "./derive-leaf.ts";

const alice = addressOf(1);
const bob = addressOf(2);
const carol = addressOf(3);

/** Folds transactions one by one, as separate loads would. */
const foldAll = (
  transactions: readonly Transaction[],
): { states: Map<string, string>; problems: string[] } => {
  const states = new Map<string, LedgerState>();
  const problems: string[] = [];
  const report = ({ kind }: { kind: string }): unknown => problems.push(kind);
  for (const transaction of transactions) {
    for (const event of bubblegumLedger.read(transaction, report)) {
      const key = `${event.kind} ${encodeAddress(event.key)}`;
      states.set(key, bubblegumLedger.fold(states.get(key) ?? null, [event], report));
    }
  }
  return { states: new Map([...states].map(([key, { state }]) => [key, state])), problems };
};

const viewOf = (id: Uint8Array, state: string | undefined, accounts: Partial<AssetView> = {}): AssetView => ({
  id,
  self: null,
  leaf: state === undefined ? null : { key: id, kind: "leaf", tree: id, state },
  linked: () => [],
  find: () => null,
  ...accounts,
});

interface Document {
  readonly content: { readonly json_uri: string; readonly metadata: { readonly name: string } };
  readonly ownership: Readonly<Record<string, unknown>>;
  readonly compression: Readonly<Record<string, unknown>>;
  readonly grouping: readonly object[];
  readonly creators: readonly { readonly verified: boolean }[];
  readonly burnt: boolean;
}

const documentOf = (transactions: readonly Transaction[], id: Uint8Array): Document | null => {
  const state = foldAll(transactions).states.get(`leaf ${encodeAddress(id)}`);
  const record = compressedKind.derive(viewOf(id, state))?.record;
  return record ? (JSON.parse(shapeDocument(record)) as Document) : null;
};

const coverageOf = (transactions: readonly Transaction[], tree: BubblegumTree): object => {
  const name = encodeAddress(tree.address);
  const { completeThroughSeq, highestSeq } = treeCoverageOf(
    name,
    parseTreeState(foldAll(transactions).states.get(`tree ${name}`) ?? "{}"),
  );
  return { completeThroughSeq, highestSeq };
};

type Change = (transaction: Transaction) => Transaction;

/** The same transaction with other payloads among what its first instruction called. */
const withInner =
  (change: (payloads: readonly Uint8Array[]) => readonly Uint8Array[]): Change =>
  (transaction) => ({
    ...transaction,
    groups: transaction.groups.map(({ outer, inner }) => ({
      outer,
      inner: change(inner.map(({ data }) => data)).map(noop),
    })),
  });

const withData =
  (change: (data: Uint8Array) => Uint8Array): Change =>
  (transaction) => ({
    ...transaction,
    groups: transaction.groups.map(({ outer, inner }) => ({
      outer: { ...outer, data: change(outer.data) },
      inner,
    })),
  });

const withoutLeafEvent = withInner((payloads) => payloads.filter((data) => data[0] === 0));
const flipped = (data: Uint8Array, at: number): Uint8Array =>
  data.map((byte, index) => (index === at ? byte ^ 1 : byte));

/** A long random life of several assets in two trees; `steps` decides what happens. */
const historyOf = (steps: readonly number[]): readonly Transaction[] => {
  const trees = [new BubblegumTree(1), new BubblegumTree(2)];
  const people = [alice, bob, carol];
  return steps.flatMap((step) => {
    const tree = trees[step & 1] as BubblegumTree;
    const person = people[(step >> 1) % people.length] as Uint8Array;
    const nonce = (step >> 3) % Math.max(1, tree.held.length);
    const isEmpty = tree.held.length === 0;
    switch (isEmpty ? 0 : (step >> 8) % 9) {
      case 0:
        return [(step >> 2) & 1 ? tree.mintV1(person) : tree.mintV2(person)];
      case 1:
      case 2:
        return [tree.transfer(nonce, person)];
      case 3:
        return [tree.delegate(nonce, person)];
      case 4:
        return [tree.update(nonce, `Name ${step}`)];
      case 5:
        return tree.held[nonce]?.leaf.version === 2 ? [tree.setFlags(nonce, "freeze_v2", step & 7)] : [];
      case 6:
        return tree.held[nonce]?.leaf.version === 1 ? [tree.redeem(nonce), tree.cancelRedeem(nonce)] : [];
      case 7:
        return [tree.burn(nonce)];
      default:
        return [];
    }
  });
};

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

  test("takes no events from a call next to Bubblegum's, where stack heights distinguish them", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const transfer = tree.transfer(0, bob);
    const caller = { programAddress: addressOf(50), accounts: [], data: new Uint8Array(0), stackHeight: 1 };
    const groups = transfer.groups.map(({ outer, inner }) => ({
      outer: caller,
      // The caller itself calls the noop program: same height as its call of Bubblegum.
      inner: [{ ...outer, stackHeight: 2 }, ...inner.map((each) => ({ ...each, stackHeight: 2 }))],
    }));
    const { problems } = foldAll([mint, { ...transfer, groups }]);
    expect(problems).toEqual(["change-log-missing"]);
    expect(documentOf([mint, { ...transfer, groups }], tree.idOf(0))?.ownership["owner"]).toBe(
      encodeAddress(alice),
    );
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

  test("takes a sound leaf from an instruction it does not know", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const strange = withData((data) => flipped(data, 0))(tree.transfer(0, bob));
    expect(foldAll([mint, strange]).problems).toEqual(["instruction-unknown"]);
    expect(documentOf([mint, strange], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(bob));
  });

  test("reads each of several mints in one instruction's calls, without stack heights too", () => {
    const tree = new BubblegumTree(1);
    const other = new BubblegumTree(2);
    const both = [tree.mintV1(alice), other.mintV1(bob)];
    const inner = both.flatMap(({ groups }) => groups.flatMap((group) => [group.outer, ...group.inner]));
    const caller = { programAddress: addressOf(50), accounts: [], data: new Uint8Array(0), stackHeight: 1 };
    const heights = (change: (height: number) => number | null): Transaction => ({
      ...(both[0] as Transaction),
      groups: [
        {
          outer: caller,
          inner: inner.map((each) => ({ ...each, stackHeight: change(each.stackHeight ?? 0) })),
        },
      ],
    });
    for (const transaction of [heights((height) => height + 1), heights(() => null)]) {
      expect(documentOf([transaction], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(alice));
      expect(documentOf([transaction], other.idOf(0))?.ownership["owner"]).toBe(encodeAddress(bob));
    }
  });

  test("takes no forged events of a program that called an unknown instruction", () => {
    const tree = new BubblegumTree(1);
    const mint = tree.mintV1(alice);
    const moved = tree.transfer(0, carol);
    const [{ outer: call, inner: events }] = moved.groups as [Transaction["groups"][number]];
    const unknown = { ...call, data: flipped(call.data, 0) };
    const caller = { programAddress: addressOf(50), accounts: [], data: new Uint8Array(0), stackHeight: 1 };
    // The caller logs the events itself, next to the call; without heights they look like the call's own.
    const forgedAt = (callHeight: number | null, eventHeight: number | null): Transaction => ({
      ...moved,
      groups: [
        {
          outer: caller,
          inner: [
            { ...unknown, stackHeight: callHeight },
            ...events.map((each) => ({ ...each, stackHeight: eventHeight })),
          ],
        },
      ],
    });
    for (const forged of [forgedAt(2, 2), forgedAt(null, null)])
      expect(documentOf([mint, forged], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(alice));
    expect(documentOf([mint, forgedAt(2, 3)], tree.idOf(0))?.ownership["owner"]).toBe(encodeAddress(carol));
  });

  test("never throws, regardless of the bytes", () => {
    const tree = new BubblegumTree(1);
    const history = [tree.mintV1(alice), tree.mintV2(bob), tree.transfer(0, bob), tree.burn(1)];
    const damage = fc.record({ which: fc.nat(3), at: fc.nat(400), cut: fc.nat(400), inData: fc.boolean() });
    fc.assert(
      fc.property(damage, ({ which, at, cut, inData }) => {
        const spoil = (data: Uint8Array): Uint8Array => flipped(data.subarray(0, Math.max(cut, at)), at);
        const change = inData ? withData(spoil) : withInner((payloads) => payloads.map(spoil));
        const { states } = foldAll([change(history[which] as Transaction)]);
        for (const [key, state] of states) {
          const id = decodeAddress(key.split(" ")[1] as string);
          if (key.startsWith("leaf")) expect(compressedKind.derive(viewOf(id, state))?.record).not.toBeNull();
        }
      }),
    );
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
