// Blocks of nodes, folded from change logs.

import type { LedgerState, Transaction } from "@lamplight/core";
import { addressOf, BubblegumTree, Random } from "@lamplight/devchain";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerEvent } from "../../rules/rules.ts";
import { bubblegumLedger } from "./bubblegum-ledger.ts";

const [alice, bob] = [addressOf(1), addressOf(2)] as const;

/** Slots between two lives of a tree. */
const LATER = 10_000;

const stepOf = (tree: BubblegumTree, number: number): readonly Transaction[] => {
  const { held, nodes } = tree;
  if (held.length === 0 || (number % 3 === 0 && held.length < 2 ** nodes.depth)) return [tree.mintV1(alice)];
  const nonce = (number >>> 4) % held.length;
  return number % 5 === 0 ? [tree.burn(nonce)] : [tree.transfer(nonce, bob)];
};

/** The histories of trees at one address, one after another, each with a fork that died. */
const historyOf = (depths: readonly number[], steps: readonly number[]): readonly Transaction[] => {
  const history: Transaction[] = [];
  let slot = 100;
  for (const depth of depths) {
    const tree = new BubblegumTree(1, { depth });
    tree.slot = slot;
    history.push(tree.create(), ...steps.flatMap((step) => stepOf(tree, step)));
    const fork = tree.copy();
    for (const [index, step] of steps.entries()) {
      history.push(...stepOf(tree, step + 1));
      if (index % 2 === 0) history.push(...stepOf(fork, step + 2));
    }
    slot = tree.slot + LATER;
  }
  return history;
};

const foldAll = (
  states: Map<string, LedgerState>,
  events: readonly LedgerEvent[],
): Map<string, LedgerState> => {
  const groups = Map.groupBy(events, ({ key }) => Buffer.from(key).toString("hex"));
  for (const [key, group] of groups)
    states.set(
      key,
      bubblegumLedger.fold(states.get(key) ?? null, group, () => {}),
    );
  return states;
};

const textsOf = (folded: ReadonlyMap<string, LedgerState>): readonly string[] =>
  [...folded].map(([key, { state }]) => `${key} ${state}`).toSorted();

test("every order and repetition of changes gives the same blocks, also of trees made again and of forks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(3, 5, 6, 9), { minLength: 1, maxLength: 3 }),
      fc.array(fc.nat(2 ** 16), { minLength: 3, maxLength: 20 }),
      fc.nat(),
      (depths, steps, seed) => {
        const events = historyOf(depths, steps).flatMap((transaction) =>
          bubblegumLedger.read(transaction, () => {}).flatMap((event) => bubblegumLedger.nodesOf(event)),
        );
        const random = new Random(seed, 1, 0);
        const shuffled = [...events, ...events.slice(0, 5)]
          .map((event) => ({ event, order: random.below(2 ** 20) }))
          .toSorted((a, b) => a.order - b.order)
          .map(({ event }) => event);
        const states = new Map<string, LedgerState>();
        for (let at = 0; at < shuffled.length; at += 7) foldAll(states, shuffled.slice(at, at + 7));
        expect(textsOf(states)).toEqual(textsOf(foldAll(new Map(), events)));
      },
    ),
    { numRuns: 150 },
  );
});
