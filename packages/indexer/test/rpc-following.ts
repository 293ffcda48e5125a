// A simulated RPC node, followed through real sockets into a real store: what the tests of following it share.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeAddress, encodeAddress, programAddresses } from "@lamplight/codecs";
import { closedAccount, type Account, type Commitment, type IndexStore, reads } from "@lamplight/core";
import { BubblegumTree, ChainSimulation } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { type FillProgress, type FollowTargets, RpcSource } from "@lamplight/sources/rpc";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach } from "vitest";
import { createIndexer } from "../src/indexer.ts";
import { ForkOverlay } from "../src/overlay/fork-overlay.ts";
import { readStoredAccounts, readTreeSlot } from "../src/follow/confirmed-base.ts";
import { ChainFollower } from "../src/follow/chain-follower.ts";

const SEED = 11;
export const NEVER = 3_600_000;
export const text = encodeAddress;
export const token = text(programAddresses.token);
export const tree = text(new BubblegumTree(1).address);

let folder: string;
export let ledger: RpcLedger;
export let node: SimulatedRpc;
export let url: string;
export let store: IndexStore;
let reader: SqliteReader;
export let overlay: ForkOverlay | null;
export let source: RpcSource;
export let stopping: AbortController;
export let running: Promise<void>;
export let problems: string[];
export let filled: FillProgress[];
let chain: NodeJS.Timeout | null;
let onFilled: () => Promise<void>;

/** A test file calls it once: each test has a chain, a node and an empty store of its own. */
export const useRpcNode = (): void => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "lamplight-rpc-"));
    ledger = new RpcLedger(new ChainSimulation({ seed: SEED, isChaotic: true }), [tree]);
    for (let block = 0; block < 30; block += 1) ledger.advance();
    ledger.settle();
    node = new SimulatedRpc({ ledger, seed: SEED });
    url = await node.start();
    const file = join(folder, "index.db");
    store = openSqliteStore({ file, mode: "write" });
    reader = openSqliteReader({ file });
    problems = [];
    filled = [];
    stopping = new AbortController();
    running = Promise.resolve();
    chain = null;
    onFilled = async () => {};
  });
  afterEach(async () => {
    stopChain();
    stopping.abort();
    await running.catch(() => undefined);
    await node.stop();
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
};

/** Fills the store and follows; resolves once it listens. */
export const follow = async (
  targets: Partial<FollowTargets>,
  rescanMs = NEVER,
  lacking: FollowTargets | null = null,
): Promise<void> => {
  stopping = new AbortController();
  overlay = null;
  source = new RpcSource({
    url: `http://${url}`,
    socketUrl: `ws://${url}`,
    targets: { programs: [], accounts: [], mints: [], trees: [], ...targets },
    base: {
      watermark: await store.readWatermark(),
      lacking,
      readAccounts: () => readStoredAccounts(store),
      readTreeSlot: async (each) => readTreeSlot(store, each, (await store.readWatermark())?.slot ?? 0),
    },
    signal: stopping.signal,
    onProblem: ({ message }) => problems.push(message),
    onProgress: (progress) => filled.push(progress),
    pollMs: 20,
    rescanMs,
    retryMs: 1,
  });
  running = take(lacking === null && (await store.readWatermark()) !== null);
  // Clocks tick, and everything is final at once.
  startChain();
  await until(() => source.state.mode === "listening" && overlay !== null);
};

const openFollower = async (): Promise<ChainFollower> => {
  overlay = await ForkOverlay.open({ store, viewSource: reader, closeFromTransactions: false });
  return new ChainFollower({ overlay });
};

const take = async (isFilled: boolean): Promise<void> => {
  const indexer = createIndexer(store, { closeFromTransactions: false });
  let follower = isFilled ? await openFollower() : null;
  for await (const event of source.events()) {
    if (event.kind === "fill") await indexer.apply({ ...event, watermark: null });
    else if (event.kind === "filled") {
      await indexer.applyAccounts([], event.watermark);
      follower = await openFollower();
      await onFilled();
    } else await follower!.take(event);
  }
};

const pass = (): void => {
  const blocks = ledger.pass(1);
  ledger.finalizeAll();
  node.emit(blocks);
};

/** Blocks come, and are final at once. */
export const startChain = (): void => {
  stopChain();
  chain = setInterval(pass, 5);
};

export const stopChain = (): void => {
  if (chain !== null) clearInterval(chain);
  chain = null;
};

/** Sets the work to be done once an empty store is filled. */
export const whenFilled = (work: () => Promise<void>): void => {
  onFilled = work;
};

export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) {
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 2))]);
    // A test that is over waits for nothing any more.
    if (stopping.signal.aborted) throw new Error("nothing is followed any more");
  }
};

export const find = async (address: string, commitment: Commitment): Promise<Account | null> => {
  const view = await overlay!.openView(commitment);
  try {
    return await view.read(reads.account(decodeAddress(address)));
  } finally {
    view.close();
  }
};

export const some = (isWanted: (account: Account) => boolean): Account =>
  [...ledger.stateAt(ledger.tip.slot).values()].find(isWanted)!;

export const closed = ({ address }: Account): Account => closedAccount(address, 0);
