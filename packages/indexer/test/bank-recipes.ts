// Reports of a node for a slot with two banks, and the true state afterwards. The store is at slot 10 with the hash
// `root`; account 2 has 100 lamports there. Slot 11 follows it.

import type { Account, BankId, ChainEvent, Slot, Transaction } from "@lamplight/core";
import { ROOT_SLOT, write as versionOf } from "./followed-fork.ts";

/** The messages that name the bank: none, none but with a 0, all, or those of data and blocks. */
export type BankNames = "none" | "zero" | "all" | "data";
export const bankNames: readonly BankNames[] = ["none", "zero", "all", "data"];

/** Lamports by number of the account; absent = there is no such account. */
export type Balances = Readonly<Record<number, bigint>>;

export interface BankRecipe {
  readonly name: string;
  readonly events: readonly ChainEvent[];
  readonly finalizedSlot: Slot;
  readonly processedSlot: Slot;
  readonly blockhash: string;
  /** The balances at the newest processed slot. */
  readonly balances: Balances;
}

let writeVersion = 0;

export const write = (slot: Slot, number: number, lamports: bigint): Account => {
  writeVersion += 1;
  return versionOf(slot, number, lamports, writeVersion);
};

/** Ten bytes of data for a program that is not indexed. */
const someTransaction = (slot: Slot, signature: string): Transaction => ({
  signature,
  slot,
  index: 0,
  failed: false,
  groups: [
    {
      outer: {
        programAddress: new Uint8Array(32),
        accounts: [],
        data: new Uint8Array(10),
        stackHeight: 1,
      },
      inner: [],
    },
  ],
});

type SlotEvent = Extract<ChainEvent, { kind: "slot" }>;

/** One bank's messages. */
export class BankScript {
  readonly #slot: Slot;
  readonly #parent: Slot;
  readonly #data: { readonly bank?: BankId };
  readonly #status: { readonly bank?: BankId };

  constructor(names: BankNames, bank: BankId, slot: Slot, parent: Slot) {
    this.#slot = slot;
    this.#parent = parent;
    this.#data = names === "none" ? {} : { bank: names === "zero" ? 0n : bank };
    this.#status = names === "all" ? { bank } : {};
  }

  created(): ChainEvent {
    return this.#slotEvent("createdBank", this.#parent, this.#status);
  }

  writes(number: number, lamports: bigint): ChainEvent {
    return { kind: "account", account: write(this.#slot, number, lamports), ...this.#data };
  }

  transaction(signature: string): ChainEvent {
    return { kind: "transaction", transaction: someTransaction(this.#slot, signature), ...this.#data };
  }

  block(blockhash: string, parentBlockhash: string): ChainEvent {
    const [slot, parent] = [this.#slot, this.#parent];
    return { kind: "block", slot, parent, blockhash, parentBlockhash, ...this.#data };
  }

  complete(): ChainEvent {
    return this.#slotEvent("complete", this.#parent, this.#status);
  }

  confirmed(): ChainEvent {
    return this.#slotEvent("confirmed", this.#parent, this.#status);
  }

  finalized(): ChainEvent {
    return this.#slotEvent("finalized", this.#parent, this.#status);
  }

  dead(): ChainEvent {
    return this.#slotEvent("dead", null, {});
  }

  #slotEvent(status: SlotEvent["status"], parent: Slot | null, bank: { readonly bank?: BankId }): ChainEvent {
    return { kind: "slot", slot: this.#slot, parent, status, ...bank };
  }
}

/** Slot 11, complete on the root. */
const eleven = (names: BankNames): readonly ChainEvent[] => {
  const bank = new BankScript(names, 1n, 11, ROOT_SLOT);
  return [bank.created(), bank.block("h11", "root"), bank.complete()];
};

const first = (names: BankNames): BankScript => new BankScript(names, 2n, 12, 11);
const second = (names: BankNames, parent: Slot = 11): BankScript => new BankScript(names, 3n, 12, parent);
const agreed = (bank: BankScript): readonly ChainEvent[] => [
  bank.complete(),
  bank.confirmed(),
  bank.finalized(),
];

const updateParent = (names: BankNames): BankRecipe => {
  const [a, b] = [first(names), second(names, ROOT_SLOT)];
  return {
    name: "the leader changes the parent within its block",
    events: [
      eleven(names),
      [a.created(), a.writes(1, 5n), a.writes(2, 7n)],
      [b.created(), b.writes(1, 6n), b.block("B", "root"), ...agreed(b)],
    ].flat(),
    finalizedSlot: 12,
    processedSlot: 12,
    blockhash: "B",
    balances: { 1: 6n, 2: 100n },
  };
};

/** The first bank is complete, then the second one starts. */
const switched = (names: BankNames): readonly ChainEvent[] => {
  const [a, b] = [first(names), second(names)];
  return [
    eleven(names),
    [a.created(), a.writes(1, 5n), a.writes(2, 7n), a.block("A", "h11"), a.complete()],
    [b.created(), b.writes(1, 6n), b.writes(3, 9n), b.block("B", "h11"), b.complete()],
  ].flat();
};

const switchBank = (names: BankNames): BankRecipe => {
  const b = second(names);
  return {
    name: "the node switches to another block of the slot",
    events: [...switched(names), b.confirmed(), b.finalized()],
    finalizedSlot: 12,
    processedSlot: 12,
    blockhash: "B",
    balances: { 1: 6n, 2: 100n, 3: 9n },
  };
};

const confirmedLate = (names: BankNames): BankRecipe => {
  const child = new BankScript(names, 4n, 13, 12);
  return {
    name: "the node switches, and the slot is confirmed with its child",
    events: [...switched(names), child.created(), child.block("h13", "B"), ...agreed(child)],
    finalizedSlot: 13,
    processedSlot: 13,
    blockhash: "h13",
    balances: { 1: 6n, 2: 100n, 3: 9n },
  };
};

const withChild = (names: BankNames): BankRecipe => {
  const [a, b] = [first(names), second(names)];
  const [onA, onB] = [new BankScript(names, 4n, 13, 12), new BankScript(names, 5n, 13, 12)];
  return {
    name: "the node switches under a child",
    events: [
      eleven(names),
      [a.created(), a.writes(1, 5n), a.writes(2, 7n), a.block("A", "h11"), a.complete()],
      [onA.created(), onA.writes(4, 1n), onA.block("C", "A"), onA.complete()],
      [b.created(), b.writes(1, 6n), b.block("B", "h11"), b.complete()],
      [onB.created(), onB.writes(3, 9n), onB.block("D", "B"), ...agreed(onB)],
    ].flat(),
    finalizedSlot: 13,
    processedSlot: 13,
    blockhash: "D",
    balances: { 1: 6n, 2: 100n, 3: 9n },
  };
};

const otherParent = (names: BankNames): BankRecipe => {
  const [a, b] = [first(names), second(names, ROOT_SLOT)];
  const on11 = new BankScript(names, 1n, 11, ROOT_SLOT);
  return {
    name: "the second block has another parent",
    events: [
      [on11.created(), on11.writes(5, 1n), on11.block("h11", "root"), on11.complete()],
      [a.created(), a.writes(2, 7n), a.block("A", "h11"), a.complete()],
      [b.created(), b.writes(3, 9n), b.block("B", "root"), ...agreed(b)],
    ].flat(),
    finalizedSlot: 12,
    processedSlot: 12,
    blockhash: "B",
    balances: { 2: 100n, 3: 9n },
  };
};

const lateEnd = (names: BankNames): BankRecipe => {
  const [a, b] = [first(names), second(names)];
  return {
    name: "the end of the first bank comes after the start of the second",
    events: [
      eleven(names),
      [a.created(), a.writes(2, 7n), a.block("A", "h11")],
      [b.created(), b.writes(1, 6n), a.complete()],
    ].flat(),
    finalizedSlot: ROOT_SLOT,
    processedSlot: 11,
    blockhash: "root",
    balances: { 2: 100n },
  };
};

const revived = (names: BankNames): BankRecipe => {
  const [a, b] = [first(names), second(names)];
  return {
    name: "a dead slot is made again",
    events: [
      eleven(names),
      [a.created(), a.writes(2, 7n), a.dead()],
      [b.created(), b.writes(3, 9n), b.block("B", "h11"), ...agreed(b)],
    ].flat(),
    finalizedSlot: 12,
    processedSlot: 12,
    blockhash: "B",
    balances: { 2: 100n, 3: 9n },
  };
};

const migration = (names: BankNames): BankRecipe => {
  const [a, b] = [first(names), second(names)];
  const onA = new BankScript(names, 4n, 13, 12);
  const next = new BankScript(names, 5n, 14, 12);
  return {
    name: "all slots above the last one of the old consensus are made again",
    events: [
      eleven(names),
      [a.created(), a.writes(2, 7n), a.block("A", "h11"), a.complete()],
      [onA.created(), onA.writes(4, 1n), onA.block("D", "A"), onA.complete()],
      [b.created(), b.writes(3, 9n), b.block("C", "h11"), ...agreed(b)],
      [next.created(), next.block("E", "C"), next.complete()],
    ].flat(),
    finalizedSlot: 12,
    processedSlot: 14,
    blockhash: "C",
    balances: { 2: 100n, 3: 9n },
  };
};

export const bankRecipes = (names: BankNames): readonly BankRecipe[] =>
  [updateParent, switchBank, confirmedLate, withChild, otherParent, lateEnd, revived, migration].map(
    (recipe) => recipe(names),
  );
