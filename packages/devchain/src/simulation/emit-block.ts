import { encodeAddress } from "@lamplight/codecs";
import type { Account, ChainEvent, Slot } from "@lamplight/core";
import type { Random } from "../random.ts";
import type { SimulatedBlock } from "./simulated-block.ts";

/**
 * The events of a node that runs a block: every write, some of them twice, in an order that only write versions settle.
 * The block and the status `complete` follow, or the status `dead`.
 *
 * @param isAgain - whether another block of the slot was reported: then its creation always is
 */
export const blockEvents = (
  block: SimulatedBlock,
  random: Random,
  isAgain: boolean,
): readonly ChainEvent[] => {
  const { slot, parent } = block;
  const writes = writeEvents(block, block.writes);
  const reported = writes.flatMap((write) => (random.percent(10) ? [write, write] : [write]));
  for (let index = reported.length - 1; index > 0; index -= 1) {
    if (!random.percent(30)) continue;
    const other = random.below(index + 1);
    [reported[index], reported[other]] = [reported[other]!, reported[index]!];
  }
  const end: readonly ChainEvent[] = block.isDead
    ? [{ kind: "slot", slot, parent, status: "dead" }]
    : [
        blockOf(block),
        { kind: "slot", slot, parent: random.percent(50) ? parent : null, status: "complete" },
      ];
  return [...(random.percent(80) || isAgain ? [creationOf(block)] : []), ...reported, ...end];
};

/** The events of a node that clears a block before its end: its creation, and the first of its writes. */
export const abandonedEvents = (block: SimulatedBlock, random: Random): readonly ChainEvent[] => {
  const writes = writeEvents(block, block.writes);
  return [creationOf(block), ...writes.slice(0, random.below(writes.length + 1))];
};

const creationOf = ({ slot, parent }: SimulatedBlock): ChainEvent => ({
  kind: "slot",
  slot,
  parent,
  status: "createdBank",
});

/** Puts events somewhere behind the first one. */
export const insertLate = (
  events: readonly ChainEvent[],
  late: readonly ChainEvent[],
  random: Random,
): readonly ChainEvent[] => {
  const mixed = [...events];
  for (const event of late) mixed.splice(random.between(1, mixed.length), 0, event);
  return mixed;
};

const writeEvents = (block: SimulatedBlock, accounts: readonly Account[]): readonly ChainEvent[] => [
  ...accounts.map((account): ChainEvent => ({ kind: "account", account })),
  ...block.transactions.map((transaction): ChainEvent => ({ kind: "transaction", transaction })),
];

/** The events with which a node replays a block: the last write of each account, without the block's creation. */
export const replayEvents = (block: SimulatedBlock): readonly ChainEvent[] => [
  ...writeEvents(block, lastWrites(block)),
  blockOf(block),
  { kind: "slot", slot: block.slot, parent: block.parent, status: "complete" },
];

/** The end state of a block: one write per address, in order. */
export const lastWrites = (block: SimulatedBlock): readonly Account[] =>
  [...new Map(block.writes.map((account) => [encodeAddress(account.address), account])).values()].toSorted(
    (a, b) => a.writeVersion - b.writeVersion,
  );

const blockOf = ({ slot, parent, blockhash, parentBlockhash }: SimulatedBlock): ChainEvent => ({
  kind: "block",
  slot,
  parent,
  blockhash,
  parentBlockhash,
});

/** Mixes the lists, each in its own order. */
export const interleave = (lists: readonly (readonly ChainEvent[])[], random: Random): ChainEvent[] => {
  const rest = lists.map((list) => [...list]);
  const mixed: ChainEvent[] = [];
  while (rest.some((list) => list.length > 0)) {
    const full = rest.filter((list) => list.length > 0);
    mixed.push(full[random.below(full.length)]!.shift()!);
  }
  return mixed;
};

/** Newer nodes write system accounts of a bank before they report its creation. */
export const withEarlyWrite = (events: readonly ChainEvent[], random: Random): readonly ChainEvent[] => {
  const [created, first, ...rest] = events;
  if (first?.kind !== "account" || first.bank === undefined || !random.percent(30)) return events;
  return [first, created!, ...rest];
};

/** The block so many parents below a slot, but none below `lowest`. */
export const ancestorOf = (
  blocks: ReadonlyMap<Slot, { readonly parent: Slot }>,
  slot: Slot,
  depth: number,
  lowest: Slot,
): Slot => {
  let at = slot;
  for (let step = 0; step < depth && at > lowest; step += 1) at = blocks.get(at)?.parent ?? at;
  return Math.max(at, lowest);
};
