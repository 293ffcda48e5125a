/* oxlint-disable unicorn/require-post-message-target-origin -- threads, not windows */
// The chain's side of the bench, on a thread of its own: a Yellowstone server that tells slots of account updates.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { encodeAddress, isTokenProgram } from "@lamplight/codecs";
import type { Account, ChainEvent, Slot } from "@lamplight/core";
import { countsForAccounts, generateChain, Random } from "@lamplight/devchain";
import { SimulatedYellowstone } from "@lamplight/devchain/upstream";

export interface FeedData {
  readonly seed: number;
  /** Accounts of the sample store; a part of them is written again and again. */
  readonly accounts: number;
  readonly hotAccounts: number;
  readonly rootedSlot: Slot;
  readonly updatesPerSlot: number;
}

export interface FeedOrder {
  readonly slots: number;
  /** Milliseconds per slot; 0 = as fast as it goes. */
  readonly slotMs: number;
}

export type FeedReport =
  | { readonly kind: "listening"; readonly url: string }
  /** The last update of the slot is on its way; milliseconds since 1970. */
  | { readonly kind: "told"; readonly slot: Slot; readonly atMs: number }
  | { readonly kind: "done"; readonly lastSlot: Slot };

const TOKEN_ACCOUNT_BYTES = 165;
const CONFIRMED_BEHIND = 2;
const FINALIZED_BEHIND = 31;

const data = workerData as FeedData;
const random = new Random(data.seed, 500, 0);
const report = (message: FeedReport): void => parentPort!.postMessage(message);

const hot: Account[] = [];
for (const { accounts } of generateChain({
  seed: data.seed,
  counts: countsForAccounts(data.accounts),
  derivedAddresses: "hash-once",
})) {
  for (const account of accounts) if (account.lamports > 0n && random.percent(60)) hot.push(account);
  if (hot.length >= data.hotAccounts) break;
}

const upstream = new SimulatedYellowstone({ replay: () => [] });
let slot = data.rootedSlot;
let writeVersion = 0;

const changed = (): Account => {
  const index = random.below(hot.length);
  const account = hot[index]!;
  writeVersion += 1;
  const next: Account = { ...account, lamports: account.lamports + 1n, slot, writeVersion };
  const isHolding = isTokenProgram(account.programOwner) && account.data.length === TOKEN_ACCOUNT_BYTES;
  const bytes = isHolding ? Uint8Array.from(account.data) : account.data;
  if (isHolding) new DataView(bytes.buffer).setBigUint64(64, BigInt(1 + random.below(1_000_000)), true);
  hot[index] = { ...next, data: bytes };
  return hot[index];
};

const tellSlot = (): void => {
  const parent = slot;
  slot += 1;
  const blockhash = (of: Slot): string => encodeAddress(new Random(data.seed, 501, of).bytes(32));
  const events: ChainEvent[] = Array.from({ length: data.updatesPerSlot }, () => ({
    kind: "account",
    account: changed(),
  }));
  const parentBlockhash = parent === data.rootedSlot ? null : blockhash(parent);
  events.push({ kind: "block", slot, parent, blockhash: blockhash(slot), parentBlockhash });
  events.push({ kind: "slot", slot, parent, status: "complete" });
  for (const [behind, status] of [
    [CONFIRMED_BEHIND, "confirmed"],
    [FINALIZED_BEHIND, "finalized"],
  ] as const) {
    if (slot - behind > data.rootedSlot)
      events.push({ kind: "slot", slot: slot - behind, parent: null, status });
  }
  upstream.tell(events);
  report({ kind: "told", slot, atMs: performance.timeOrigin + performance.now() });
};

parentPort!.on("message", (order: FeedOrder) => void run(order));

const run = async ({ slots, slotMs }: FeedOrder): Promise<void> => {
  const startMs = performance.now();
  for (let told = 0; told < slots; told += 1) {
    tellSlot();
    await sleep(Math.max(0, startMs + (told + 1) * slotMs - performance.now()));
  }
  upstream.tell([{ kind: "slot", slot, parent: null, status: "finalized" }]);
  report({ kind: "done", lastSlot: slot });
};

report({ kind: "listening", url: await upstream.start() });
