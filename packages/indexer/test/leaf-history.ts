// Transactions of compressed leaves, and what the ledger makes of them.

import { encodeAddress } from "@lamplight/codecs";
import { type LedgerState, parseTreeState, type Transaction, treeCoverageOf } from "@lamplight/core";
import { addressOf, BubblegumTree, noop } from "@lamplight/devchain";
import { bubblegumLedger } from "../src/programs/bubblegum/bubblegum-ledger.ts";
import { compressedKind } from "../src/programs/bubblegum/derive-leaf.ts";
import { shapeDocument } from "../src/record/shape-document.ts";
import type { AssetView } from "../src/rules/rules.ts";

export const alice = addressOf(1);
export const bob = addressOf(2);
export const carol = addressOf(3);

/** Folds transactions one by one, as separate loads would. */
export const foldAll = (
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

export const viewOf = (
  id: Uint8Array,
  state: string | undefined,
  accounts: Partial<AssetView> = {},
): AssetView => ({
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

export const documentOf = (transactions: readonly Transaction[], id: Uint8Array): Document | null => {
  const state = foldAll(transactions).states.get(`leaf ${encodeAddress(id)}`);
  const record = compressedKind.derive(viewOf(id, state))?.record;
  return record ? (JSON.parse(shapeDocument(record)) as Document) : null;
};

export const coverageOf = (transactions: readonly Transaction[], tree: BubblegumTree): object => {
  const name = encodeAddress(tree.address);
  const { completeThroughSeq, highestSeq } = treeCoverageOf(
    name,
    parseTreeState(foldAll(transactions).states.get(`tree ${name}`) ?? "{}"),
  );
  return { completeThroughSeq, highestSeq };
};

type Change = (transaction: Transaction) => Transaction;

/** The same transaction with other payloads among what its first instruction called. */
export const withInner =
  (change: (payloads: readonly Uint8Array[]) => readonly Uint8Array[]): Change =>
  (transaction) => ({
    ...transaction,
    groups: transaction.groups.map(({ outer, inner }) => ({
      outer,
      inner: change(inner.map(({ data }) => data)).map(noop),
    })),
  });

export const withData =
  (change: (data: Uint8Array) => Uint8Array): Change =>
  (transaction) => ({
    ...transaction,
    groups: transaction.groups.map(({ outer, inner }) => ({
      outer: { ...outer, data: change(outer.data) },
      inner,
    })),
  });

export const withoutLeafEvent = withInner((payloads) => payloads.filter((data) => data[0] === 0));
export const flipped = (data: Uint8Array, at: number): Uint8Array =>
  data.map((byte, index) => (index === at ? byte ^ 1 : byte));

/** A long random life of several assets in two trees; `steps` decides what happens. */
export const historyOf = (steps: readonly number[]): readonly Transaction[] => {
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
