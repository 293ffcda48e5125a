// What an ordinary node tells, leaves out and takes back, one thing at a time; through real sockets into a real store.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  decodeAddress,
  decodeEditionAccount,
  encodeAddress,
  metadataAddress,
  programAddresses,
} from "@lamplight/codecs";
import type { Account, Commitment, IndexStore } from "@lamplight/core";
import { BubblegumTree, ChainSimulation } from "@lamplight/devchain";
import { noFaults, RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { type FillProgress, type FollowTargets, RpcSource } from "@lamplight/sources";
import { openSqliteReader, openSqliteStore, type SqliteReader } from "@lamplight/store-sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createIndexer } from "../indexer.ts";
import { ForkOverlay } from "../overlay/fork-overlay.ts";
import { readStoredAccounts, readTreeSlot } from "./confirmed-base.ts";
import { ConfirmedFollower } from "./confirmed-follower.ts";

const seed = 11;
const never = 3_600_000;
const text = encodeAddress;
const token = text(programAddresses.token);
const tree = text(new BubblegumTree(1).address);

let folder: string;
let ledger: RpcLedger;
let node: SimulatedRpc;
let url: string;
let store: IndexStore;
let reader: SqliteReader;
let overlay: ForkOverlay | null;
let source: RpcSource;
let stopping: AbortController;
let running: Promise<void>;
let problems: string[];
let filled: FillProgress[];
let chain: NodeJS.Timeout | null;
let onFilled: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "lamplight-rpc-"));
  ledger = new RpcLedger(new ChainSimulation({ seed, isStormy: true }), [tree]);
  for (let block = 0; block < 30; block += 1) ledger.advance();
  ledger.settle();
  node = new SimulatedRpc({ ledger, seed });
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
  if (chain !== null) clearInterval(chain);
  stopping.abort();
  await running.catch(() => undefined);
  await node.stop();
  reader.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Fills the store and follows; resolves once it listens. */
const follow = async (
  targets: Partial<FollowTargets>,
  censusMs = never,
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
    censusMs,
    retryMs: 1,
  });
  running = take(lacking === null && (await store.readWatermark()) !== null);
  // Clocks tick, and everything is final at once.
  chain = setInterval(() => pass(), 5);
  await until(() => source.state.mode === "listening" && overlay !== null);
};

const openFollower = async (): Promise<ConfirmedFollower> => {
  overlay = await ForkOverlay.open({ store, readable: reader, closeFromTransactions: false });
  return new ConfirmedFollower(overlay);
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
  node.tell(blocks);
};

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) {
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 2))]);
    // A test that is over waits for nothing any more.
    if (stopping.signal.aborted) throw new Error("nothing is followed any more");
  }
};

const find = async (address: string, commitment: Commitment): Promise<Account | null> => {
  const view = await overlay!.openView(commitment);
  try {
    return await view.accounts.findAccount(decodeAddress(address));
  } finally {
    view.close();
  }
};

const some = (isWanted: (account: Account) => boolean): Account =>
  [...ledger.stateAt(ledger.tip.slot).values()].find(isWanted)!;

const closed = ({ address }: Account): Account => ({
  address,
  programOwner: programAddresses.system,
  lamports: 0n,
  executable: false,
  rentEpoch: 0n,
  data: new Uint8Array(0),
  slot: 0,
  writeVersion: 0,
});

describe("following an RPC node, step by step", () => {
  test("how far a filling is, is told from its first bytes to its last transaction", async () => {
    const metadata = text(programAddresses.tokenMetadata);
    await follow({ programs: [token, metadata], trees: [tree] });
    const shares = filled.map(({ done, total }) => done / total);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    // Two programs, single accounts, a tree; answers are told as they come.
    expect([filled[0]!.total, shares[0]! > 0, shares.at(-1)]).toEqual([4, true, 1]);
    const stored = await store.readAccountPage(null, 1000);
    const transactions = ledger.blocks(0, ledger.final.slot).flatMap((block) => block.transactions);
    expect(filled.at(-1)!.count).toBe(stored.length + transactions.length);
  });

  test("a write is told; a closed account of a program is told by nobody, and found by the census", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] }, 50);
    node.tell(ledger.write([{ ...account, lamports: 77n }]));
    await until(async () => (await find(address, "confirmed"))?.lamports === 77n);
    node.tell(ledger.write([closed(account)]));
    await until(async () => (await find(address, "confirmed")) === null);
    await until(async () => (await find(address, "finalized")) === null);
    expect(problems).toEqual([]);
  });

  test("the end of a single account is told at once, without any census", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ accounts: [address] });
    expect((await find(address, "confirmed"))?.lamports).toBe(account.lamports);
    node.tell(ledger.write([closed(account)]));
    await until(async () => (await find(address, "finalized")) === null);
  });

  test("a scan that lacks accounts buries nobody: each is asked for first", async () => {
    const address = text(some(({ programOwner }) => text(programOwner) === token).address);
    await follow({ programs: [token] }, 20);
    node.faults = { ...noFaults, incomplete: 100 };
    const known = source.state.knownAccounts;
    const { slot } = ledger.tip;
    await until(() => source.state.censusSlot > slot);
    expect(source.state.knownAccounts).toBe(known);
    expect(await find(address, "confirmed")).not.toBe(null);
    expect(node.calls.get("getMultipleAccounts")).toBeGreaterThan(2);
  });

  test("a lost connection is begun anew, and what it missed is read", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    node.cutOff();
    ledger.write([{ ...account, lamports: 88n }]);
    await until(async () => (await find(address, "confirmed"))?.lamports === 88n);
    expect(source.state.connections).toBeGreaterThan(1);
    expect(problems[0]).toContain("the WebSocket was closed");
  });

  test("nodes of a pool that answer seconds behind the one that tells are waited for, in one connection", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token], trees: [tree] }, 20);
    node.lagBlocks = 100;
    node.cutOff();
    node.tell(ledger.write([{ ...account, lamports: 87n }]));
    await until(async () => (await find(address, "finalized"))?.lamports === 87n);
    const { slot } = ledger.write([closed(account)])[0]!;
    await until(() => source.state.censusSlot > slot);
    await until(async () => (await find(address, "finalized")) === null);
    expect(source.state).toMatchObject({ mode: "listening", connections: 2 });
    expect(problems).toEqual([expect.stringContaining("the WebSocket was closed")]);
  });

  test("a slot from far away is trouble of one connection, and no data", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    node.faults = { ...noFaults, far: 100 };
    node.tell(ledger.write([{ ...account, lamports: 55n }]));
    await until(() => problems.length > 0);
    node.faults = noFaults;
    expect(problems[0]).toMatch(/is of slot 1\d{9}, far ahead of slot \d{4} where the node was last/u);
    await until(async () => (await find(address, "finalized"))?.lamports === 55n);
    const newest = Math.max(overlay!.state.processedSlot, source.state.nodeSlot, source.state.rootSlot);
    expect(newest).toBeLessThanOrEqual(ledger.tip.slot);
  });

  test("far answers are asked for again, and nothing of them is told", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token], trees: [tree] }, 20);
    node.faults = { ...noFaults, far: 40 };
    const { slot } = ledger.write([{ ...account, lamports: 56n }])[0]!;
    await until(() => source.state.censusSlot > slot);
    node.faults = noFaults;
    await until(async () => (await find(address, "finalized"))?.lamports === 56n);
    expect(overlay!.state.processedSlot).toBeLessThanOrEqual(ledger.tip.slot);
  });

  test.each(["listening", "behind", "stopped"])(
    "%s, it goes on though millions of slots have passed",
    async (how) => {
      const account = some(({ programOwner }) => text(programOwner) === token);
      const address = text(account.address);
      await follow({ programs: [token] });
      await until(() => overlay!.state.rootedSlot > 0);
      if (how === "behind") {
        // Everything is read anew, and waits for who answers, while the chain goes far away.
        node.lagBlocks = 100;
        node.cutOff();
        await until(() => source.state.retries > 2);
      }
      if (how === "stopped") {
        clearInterval(chain!);
        stopping.abort();
        await running;
      }
      const slot = ledger.skip(5_000_000);
      const before = node.calls.get("getBlocks") ?? 0;
      node.tell(ledger.write([{ ...account, lamports: 57n }]));
      if (how === "stopped") await follow({ programs: [token] });
      await until(async () => (await find(address, "finalized"))?.lamports === 57n);
      expect(overlay!.state.rootedSlot).toBeGreaterThan(slot);
      expect(node.calls.get("getBlocks")! - before).toBeLessThan(200);
    },
  );

  test("a confirmed slot that does not become final is taken back, and never reaches the store", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    clearInterval(chain!);
    chain = null;
    const before = await find(address, "finalized");
    node.tell(ledger.write([{ ...account, lamports: 99n }]));
    // Until it is whole, and not final.
    await until(async () => {
      node.tell(ledger.pass(1));
      return (await find(address, "confirmed"))?.lamports === 99n;
    });
    expect((await find(address, "finalized"))?.lamports).toBe(before!.lamports);
    ledger.takeBack();
    chain = setInterval(() => pass(), 5);
    await until(async () => (await find(address, "confirmed"))?.lamports === account.lamports);
    expect(source.state.rewinds).toBeGreaterThan(0);
    expect(problems.join("\n")).toContain("was confirmed and did not become final");
    await until(() => overlay!.state.rootedSlot > ledger.final.slot - 5);
    expect((await find(address, "finalized"))?.lamports).toBe(account.lamports);
  });

  test("what was taken back and comes again is told again", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    clearInterval(chain!);
    node.tell(ledger.write([{ ...account, lamports: 99n }]));
    await until(async () => {
      node.tell(ledger.pass(1));
      return (await find(address, "confirmed"))?.lamports === 99n;
    });
    ledger.takeBack();
    ledger.write([{ ...account, lamports: 99n }]);
    chain = setInterval(() => pass(), 5);
    await until(async () => (await find(address, "finalized"))?.lamports === 99n);
    expect(source.state.rewinds).toBeGreaterThan(0);
  });

  test("after a lost connection, answers from before it count for nothing", async () => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    const address = text(account.address);
    await follow({ programs: [token] });
    clearInterval(chain!);
    chain = null;
    node.faults = { ...noFaults, stale: 60 };
    for (let round = 1n; round <= 12n; round += 1n) {
      node.cutOff();
      ledger.write([{ ...account, lamports: round }]);
      await until(async () => {
        if (node.subscriptions > 0) node.tell(ledger.pass(1));
        await new Promise((resolve) => setTimeout(resolve, 10));
        return (await find(address, "confirmed"))?.lamports === round;
      });
    }
  });

  test("a slot that wrote a tree waits for the tree's transactions", async () => {
    await follow({ trees: [tree] });
    clearInterval(chain!);
    chain = null;
    node.missingMethods.add("getTransaction");
    let written = 0;
    while (written === 0) {
      const blocks = ledger.advance();
      written = blocks.find(({ transactions }) => transactions.length > 0)?.slot ?? 0;
      node.tell(blocks);
    }
    ledger.settle();
    await until(() => {
      node.tell(ledger.pass(1));
      return problems.length > 0;
    });
    expect(overlay!.state.confirmedSlot).toBeLessThan(written);
    node.missingMethods.clear();
    await until(() => {
      node.tell(ledger.pass(1));
      return overlay!.state.confirmedSlot > written;
    });
    expect(problems.join("\n")).toContain("Method not found");
  });

  test("a listing that lacks what was written is no answer yet: the slot waits", async () => {
    await follow({ trees: [tree] });
    clearInterval(chain!);
    chain = null;
    const fetched = node.calls.get("getTransaction") ?? 0;
    node.odd.set("getSignaturesForAddress", ["[]"]);
    let [written, count] = [0, 0];
    while (written === 0) {
      const blocks = ledger.advance();
      const block = blocks.find(({ transactions }) => transactions.length > 0);
      [written, count] = [block?.slot ?? 0, block?.transactions.length ?? 0];
      node.tell(blocks);
    }
    ledger.settle();
    await until(() => {
      node.tell(ledger.pass(1));
      return overlay!.state.confirmedSlot >= written;
    });
    expect(node.odd.get("getSignaturesForAddress")).toEqual([]);
    expect((node.calls.get("getTransaction") ?? 0) - fetched).toBeGreaterThanOrEqual(count);
  });

  test("hashes are asked of final slots only, and kept where the store stands", async () => {
    await follow({ programs: [token] });
    clearInterval(chain!);
    chain = null;
    const [asked, told] = [node.calls.get("getBlock") ?? 0, overlay!.state.confirmedSlot];
    await until(() => {
      node.tell(ledger.pass(1));
      return overlay!.state.confirmedSlot > told + 10;
    });
    // What was final before may still be asked about.
    expect(node.calls.get("getBlock")! - asked).toBeLessThan(5);
    await until(async () => {
      ledger.finalizeAll();
      node.tell(ledger.pass(1));
      return ((await store.readWatermark())?.slot ?? 0) > told + 5;
    });
    const { slot, blockhash } = (await store.readWatermark())!;
    expect(blockhash).toBe(ledger.block(slot)!.blockhash);
  });

  test("slots are told while a hash does not come, and become final without it", async () => {
    await follow({ programs: [token] });
    node.silentMethods.add("getBlock");
    const asked = node.calls.get("getBlock")!;
    const { confirmedSlot, rootedSlot } = overlay!.state;
    await until(() => overlay!.state.confirmedSlot > confirmedSlot + 20);
    await until(() => overlay!.state.rootedSlot > rootedSlot + 20);
    expect(node.calls.get("getBlock")! - asked).toBeLessThan(4);
    expect((await store.readWatermark())?.blockhash).toBe(null);
  });

  test("slots are told while it is not answered which are final, and a stop is obeyed beside it", async () => {
    await follow({ programs: [token] });
    node.silentMethods.add("getBlocks");
    const asked = node.calls.get("getBlocks")!;
    await until(() => node.calls.get("getBlocks")! > asked);
    const { confirmedSlot, rootedSlot } = overlay!.state;
    await until(() => overlay!.state.confirmedSlot > confirmedSlot + 20);
    // What was answered before may be told yet.
    expect(overlay!.state.rootedSlot).toBeLessThanOrEqual(rootedSlot + 5);
    expect(node.calls.get("getBlocks")! - asked).toBe(1);
    clearInterval(chain!);
    stopping.abort();
    await running;
    node.silentMethods.clear();
    await follow({ programs: [token] });
    await until(() => overlay!.state.rootedSlot > confirmedSlot);
  });

  test("where blocks are not served, the root's number is believed", async () => {
    node.missingMethods.add("getBlocks").add("getBlock");
    await follow({ programs: [token] });
    const rooted = overlay!.state.rootedSlot;
    await until(() => overlay!.state.rootedSlot > rooted);
    expect(source.state.checksBlocks).toBe(false);
    expect((await store.readWatermark())?.blockhash).toBe(null);
  });

  test("a program that the node does not scan is refused", async () => {
    node.missingMethods.add("getProgramAccounts");
    const refused = follow({ programs: [token] });
    await expect(refused).rejects.toMatchObject({ code: "SOURCE__REFUSED" });
    await expect(refused).rejects.toThrow(
      /does not list program .* \(Method not found\); load its accounts/u,
    );
  });

  test.each(["-32601", "410", "-32010"])(
    "where a program is not scanned (%s), its known accounts are read one by one: closed ones are found",
    async (kind) => {
      const [account, other] = [...ledger.stateAt(ledger.tip.slot).values()].filter(
        ({ programOwner }) => text(programOwner) === token,
      ) as [Account, Account];
      await follow({ programs: [token] }, 20);
      clearInterval(chain!);
      stopping.abort();
      await running;
      node.refusals.set("getProgramAccounts", Number(kind));
      ledger.write([closed(account)]);
      ledger.finalizeAll();
      await follow({ programs: [token] }, 20);
      await until(async () => (await find(text(account.address), "finalized")) === null);
      node.tell(ledger.write([{ ...account, lamports: 71n }, closed(other)]));
      await until(async () => (await find(text(account.address), "confirmed"))?.lamports === 71n);
      await until(async () => (await find(text(other.address), "finalized")) === null);
      expect(problems.filter((problem) => problem.includes("does not list"))).toHaveLength(1);
      expect(problems[0]).toContain("read by their addresses");
      expect(source.state.refusedScans).toBe(1);
      node.refusals.clear();
      await until(() => source.state.refusedScans === 0);
    },
  );

  test.each([403, 404, 413])("once it worked, HTTP %i ends nothing", async (status) => {
    const account = some(({ programOwner }) => text(programOwner) === token);
    await follow({ programs: [token] }, 20);
    node.odd.set("getProgramAccounts", [status, status]).set("getBlocks", [status]);
    await until(() => problems.some((problem) => problem.includes(`HTTP ${status}`)));
    node.tell(ledger.write([{ ...account, lamports: 66n }]));
    await until(async () => (await find(text(account.address), "finalized"))?.lamports === 66n);
    expect(source.state.checksBlocks).toBe(true);
  });

  test.each(["null", "[]", '{"context":null,"value":[null]}'])(
    "an answer that is %s is asked for again",
    async (odd) => {
      const account = some(({ programOwner }) => text(programOwner) === token);
      const methods = ["getGenesisHash", "getProgramAccounts", "getMultipleAccounts", "getBlocks"];
      for (const method of methods) node.odd.set(method, [odd]);
      await follow({ programs: [token] }, 20);
      for (const method of methods) node.odd.set(method, [odd]);
      node.tell(ledger.write([{ ...account, lamports: 65n }]));
      await until(async () => (await find(text(account.address), "finalized"))?.lamports === 65n);
    },
  );

  test("what is too large at once is asked for in smaller parts", async () => {
    const addresses = [...ledger.stateAt(ledger.tip.slot).keys()].slice(0, 9);
    node.odd.set("getMultipleAccounts", [413, 413, 413]);
    await follow({ accounts: addresses });
    const sizes = node.calls.get("getMultipleAccounts")!;
    // Ten with the clock: 10, 5, 3, then 2, 2, 2, 2, 2; and once more all of them at confirmed.
    expect(sizes).toBe(9);
    expect(problems).toEqual([]);
    expect(await find(addresses[0]!, "confirmed")).not.toBe(null);
  });

  test("a transaction that is listed and lasting not there leaves the tree incomplete, and ends nothing", async () => {
    const listed = (): number =>
      ledger.blocks(0, ledger.final.slot).flatMap((each) => each.transactions).length;
    while (listed() < 3) {
      ledger.advance();
      ledger.settle();
    }
    const count = listed();
    const told = ledger.blocks(0, ledger.final.slot).flatMap(({ transactions }) => transactions);
    node.lost.add(told[1]!.signature);
    await follow({ trees: [tree] });
    expect(
      problems.filter((problem) => problem.includes(`lacks transaction ${told[1]!.signature}`)).length,
    ).toBe(1);
    expect(node.calls.get("getTransaction")).toBeGreaterThan(count);
    const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
    expect(row?.state).toContain('"ranges":[[0,0],[2,');
  });

  test("more accounts than a connection has subscriptions can be asked for without one", () => {
    const accounts = Array.from({ length: 1001 }, (_, index) =>
      text(
        new Uint8Array(32)
          .fill(1)
          .with(0, index >> 8)
          .with(1, index & 255),
      ),
    );
    const open = (socketUrl: string | null): RpcSource =>
      new RpcSource({
        url: `http://${url}`,
        socketUrl,
        targets: { programs: [], accounts, mints: [], trees: [] },
        base: {
          watermark: null,
          lacking: null,
          readAccounts: async function* () {},
          readTreeSlot: async () => 0,
        },
        signal: stopping.signal,
      });
    expect(() => open(`ws://${url}`)).toThrow("more than 1000 subscriptions");
    expect(open(null).state.mode).toBe("connecting");
  });

  test("what is followed beside is filled first, and what was followed before stays in step", async () => {
    const [classic, other] = [programAddresses.token, programAddresses.tokenMetadata].map((program) =>
      some(({ programOwner }) => text(programOwner) === text(program)),
    ) as [Account, Account];
    await follow({ programs: [token] });
    expect(await find(text(other.address), "confirmed")).toBe(null);
    clearInterval(chain!);
    stopping.abort();
    await running;
    const before = (await store.readWatermark())!.slot;
    ledger.write([closed(classic)]);
    ledger.finalizeAll();
    const targets = { programs: [text(other.programOwner)], accounts: [], mints: [], trees: [] };
    // What the store said it held stays as of its slot while the rest is filled.
    const seen: (readonly [slot: number, isThere: boolean])[] = [];
    onFilled = async () => {
      seen.push([
        (await store.readWatermark())!.slot,
        (await find(text(classic.address), "finalized")) !== null,
      ]);
      expect(await store.readAccountStates([other.address])).not.toEqual([null]);
    };
    await follow({ programs: [token, text(other.programOwner)] }, never, targets);
    expect(seen).toEqual([[before, true]]);
    await until(async () => (await find(text(classic.address), "finalized")) === null);
    expect(await find(text(other.address), "finalized")).not.toBe(null);
    expect(overlay!.state.rootedSlot).toBeGreaterThan(before);
  });

  test("of a mint come its metadata and every token account, and nothing else", async () => {
    const mint = some(
      ({ address, programOwner }) =>
        text(programOwner) === token && ledger.stateAt(ledger.tip.slot).has(text(metadataAddress(address))),
    );
    await follow({ mints: [text(mint.address)] });
    const stored: string[] = [];
    for await (const { address, lamports } of readStoredAccounts(store))
      if (lamports > 0n) stored.push(text(address));
    const wanted = [...ledger.stateAt(ledger.tip.slot).values()]
      .filter(
        ({ address, programOwner, data }) =>
          text(address) === text(mint.address) ||
          text(address) === text(metadataAddress(mint.address)) ||
          text(address) === "SysvarC1ock11111111111111111111111111111111" ||
          (text(programOwner) === token &&
            data.length === 165 &&
            text(data.subarray(0, 32)) === text(mint.address)),
      )
      .filter(({ data }) => decodeEditionAccount(data)?.kind !== "masterEdition")
      .map(({ address }) => text(address));
    expect(stored.toSorted()).toEqual(wanted.toSorted());
    expect(wanted.length).toBeGreaterThan(3);
  });

  test("a tree's history of many pages is told once, oldest first, and goes on with new transactions", async () => {
    // Nodes list a thousand at a time.
    for (let listed = 0; listed < 1100;) {
      listed += ledger.advance().flatMap(({ transactions }) => transactions).length;
    }
    ledger.settle();
    await follow({ trees: [tree] });
    const told = ledger.blocks(0, ledger.final.slot).flatMap(({ transactions }) => transactions);
    expect(node.calls.get("getSignaturesForAddress")).toBeGreaterThan(1);
    expect(node.calls.get("getTransaction")).toBe(told.length);
    const [row] = await store.readLedger("tree", [decodeAddress(tree)]);
    expect(row?.state).toContain(`"ranges":[[0,${told.length - 1}]]`);
    clearInterval(chain!);
    let more = 0;
    while (more === 0) {
      const blocks = ledger.advance();
      more = blocks.flatMap(({ transactions }) => transactions).length;
      node.tell(blocks);
    }
    ledger.settle();
    chain = setInterval(() => pass(), 5);
    await until(() => node.calls.get("getTransaction")! >= told.length + more);
  }, 120_000);
});
