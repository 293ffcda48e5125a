/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// The chain's side of the bench, on a thread of its own: a Yellowstone server that reports slots of account updates.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { encodeAddress } from "@lamplight/codecs";
import type { ChainEvent, Slot } from "@lamplight/core";
import { Random } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { Traffic } from "./traffic.ts";

export interface FeedData {
  readonly seed: number;
  /** Accounts of the sample store; a part of them is written again and again. */
  readonly accounts: number;
  readonly finalizedSlot: Slot;
  readonly updatesPerSlot: number;
}

export type FeedOrder =
  /** Makes the messages of the next slots, so that making them takes no time when they are reported. */
  | { readonly kind: "prepare"; readonly slots: number }
  /** Milliseconds per slot; 0 = as fast as it goes. */
  | { readonly kind: "tell"; readonly slotMs: number };

export type FeedReport =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "prepared" }
  /** The last update of the slot is on its way; milliseconds since 1970. */
  | { readonly kind: "reported"; readonly slot: Slot; readonly atMs: number }
  | { readonly kind: "done"; readonly lastSlot: Slot };

const CONFIRMED_BEHIND = 2;
const FINALIZED_BEHIND = 31;

const data = workerData as FeedData;
const random = new Random(data.seed, 500, 0);
const traffic = new Traffic(data.seed, data.accounts, random);
const report = (message: FeedReport): void => parentPort!.postMessage(message);

const upstream = new SimulatedYellowstone({ replay: () => [] });
let slot = data.finalizedSlot;
let prepared: { readonly slot: Slot; readonly messages: readonly Uint8Array[] }[] = [];

const eventsOfNext = (): readonly ChainEvent[] => {
  const parent = slot;
  slot += 1;
  const blockhash = (of: Slot): string => encodeAddress(new Random(data.seed, 501, of).bytes(32));
  const updates = traffic.next(slot, data.updatesPerSlot);
  const events: ChainEvent[] = [
    { kind: "slot", slot, parent, status: "createdBank" },
    ...updates.map((account): ChainEvent => ({ kind: "account", account })),
  ];
  const parentBlockhash = parent === data.finalizedSlot ? null : blockhash(parent);
  events.push({ kind: "block", slot, parent, blockhash: blockhash(slot), parentBlockhash });
  events.push({ kind: "slot", slot, parent, status: "complete" });
  for (const [behind, status] of [
    [CONFIRMED_BEHIND, "confirmed"],
    [FINALIZED_BEHIND, "finalized"],
  ] as const) {
    if (slot - behind > data.finalizedSlot)
      events.push({ kind: "slot", slot: slot - behind, parent: null, status });
  }
  return events;
};

const prepare = (slots: number): void => {
  for (let made = 0; made < slots; made += 1) {
    const messages = upstream.encode(eventsOfNext());
    prepared.push({ slot, messages });
  }
  report({ kind: "prepared" });
};

const emit = async (slotMs: number): Promise<void> => {
  const startMs = performance.now();
  for (const [index, { slot: reported, messages }] of prepared.entries()) {
    upstream.send(messages);
    report({ kind: "reported", slot: reported, atMs: performance.timeOrigin + performance.now() });
    await sleep(Math.max(0, startMs + (index + 1) * slotMs - performance.now()));
  }
  prepared = [];
  upstream.emit([{ kind: "slot", slot, parent: null, status: "finalized" }]);
  report({ kind: "done", lastSlot: slot });
};

parentPort!.on("message", (order: FeedOrder) => {
  if (order.kind === "prepare") prepare(order.slots);
  else void emit(order.slotMs);
});

report({ kind: "listening", url: await upstream.start() });
