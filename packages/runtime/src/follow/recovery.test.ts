// A server that accepts to replay, and does not: over real gRPC, with a real node to ask, during slots.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { SlotRate } from "@lamplight/core";
import { ChainSimulation, lastWrites } from "@lamplight/devchain";
import { SimulatedHistory, SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { ChainFollower, createIndexer, ForkOverlay } from "@lamplight/indexer";
import { YellowstoneSource } from "@lamplight/sources/yellowstone";
import { openSqliteReader, openSqliteStore } from "@lamplight/store-sqlite";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { GapRepairer } from "./gap-repairer.ts";
import { Recovery } from "./recovery.ts";

const seed = Number(process.env["LAMPLIGHT_FORK_SEED"] ?? 5);

/** Turns of the event loop until something holds; the test's own deadline is the bound. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** A store that follows a stream, with a gap above its root that the server does not report again. */
const loseSilently = async ({
  withNode,
  replayMode = { kind: "silent" },
  nowMs = Date.now,
  nodeUrl,
}: {
  readonly withNode: boolean;
  /** Blocks of a node that takes the place of the one with the chain's blocks. */
  readonly nodeUrl?: string;
  readonly replayMode?: SimulatedYellowstone["replayMode"];
  readonly nowMs?: () => number;
}) => {
  onTestFailed(() => {
    console.error(
      `repeat with: LAMPLIGHT_FORK_SEED=${seed} npx vitest run packages/runtime/src/follow/recovery.test.ts`,
    );
  });
  const folder = mkdtempSync(join(tmpdir(), "lamplight-recovery-"));
  const simulation = new ChainSimulation({ seed, isChaotic: true });
  const upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from) });
  const history = new SimulatedHistory(simulation);
  const file = join(folder, "index.db");
  const store = openSqliteStore({ file, mode: "write" });
  await store.writeCoverage({ kind: "whole" });
  const { accounts, slot, blockhash } = simulation.genesis;
  await createIndexer(store).applyAccounts(accounts, { slot, blockhash });
  const reader = openSqliteReader({ file });
  const overlay = await ForkOverlay.open({ store, viewSource: reader, closeFromTransactions: false });
  const follower = new ChainFollower({ overlay });
  const stopping = new AbortController();
  const { signal } = stopping;
  const said: string[] = [];
  const say = (line: string): void => void said.push(line);
  const source = new YellowstoneSource({
    url: await upstream.start(),
    token: null,
    accounts: { all: {} },
    transactionPrograms: [encodeAddress(programAddresses.bubblegum)],
    commitment: "processed",
    resumeFrom: () => overlay.state.finalizedSlot + 1,
    signal,
    retryMs: 1,
    renewMs: 1,
  });
  const url = await history.start();
  const parts = {
    url: nodeUrl ?? url,
    nowMs,
    store,
    coverage: () => ({ kind: "whole" }) as const,
    overlay,
    follower,
    signal,
    rate: new SlotRate(),
    say,
  } as const;
  const repairer = withNode ? new GapRepairer(parts) : null;
  const recovery = new Recovery({ follower, source, repairer, say, nowMs });
  const running = (async () => {
    for await (const event of source.events()) {
      await follower.take(event);
      await repairer?.fillGap();
    }
  })();
  onTestFinished(async () => {
    stopping.abort();
    await running.catch(() => undefined);
    repairer?.close();
    upstream.stop();
    history.stop();
    reader.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await until(() => upstream.subscribers === 1);
  for (let step = 0; step < 8; step += 1) upstream.emit(simulation.next());
  upstream.emit(simulation.settle());
  await until(() => overlay.state.finalizedSlot === simulation.finalized);
  upstream.replayMode = replayMode;
  upstream.joinBefore = (messages) => Math.floor(messages / 2);
  upstream.cutOff();
  for (let step = 0; step < 4; step += 1) simulation.next();
  simulation.settle();
  /** The chain goes on, and the missing slot is checked, until a condition is true. */
  const goOnUntil = (holds: () => boolean): Promise<void> =>
    until(() => {
      upstream.emit(simulation.next());
      upstream.emit(simulation.settle());
      recovery.tryAgain();
      return holds();
    });
  return { simulation, overlay, follower, source, store, said, repairer, upstream, goOnUntil };
};

test("what a server silently does not replay is read from a node", async () => {
  const { simulation, overlay, follower, source, store, said, repairer, goOnUntil } = await loseSilently({
    withNode: true,
  });
  const finalizedSlot = overlay.state.finalizedSlot;
  await goOnUntil(() => overlay.state.finalizedSlot > finalizedSlot && follower.state.gap === null);
  expect(source.state.replayRefused).toBe(false);
  expect(said).toContainEqual(expect.stringMatching(/^reading slots/u));
  // The blocks that were read are of no use any more, and may be many.
  await goOnUntil(() => repairer!.keptAccounts === 0);
  // Every account that the chain has is there: half of a slot did not count as complete.
  const root = overlay.state.finalizedSlot;
  const blocks = simulation.pathTo(root)!.filter(({ slot }) => slot > finalizedSlot);
  const newest = new Map(
    blocks.flatMap((block) => lastWrites(block).map((one) => [encodeAddress(one.address), one] as const)),
  );
  const states = await store.readAccountStates([...newest.values()].map(({ address }) => address));
  expect(states.map((state) => state?.current.lamports ?? 0n)).toEqual(
    [...newest.values()].map(({ lamports }) => lamports),
  );
});

test("a node that fails at once is asked ever less often", async () => {
  let requests = 0;
  const node = createServer((request, response) => {
    requests += 1;
    request
      .resume()
      .on("end", () => response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}'));
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void node.close());
  let now = 0;
  const { said, goOnUntil } = await loseSilently({
    withNode: true,
    nodeUrl: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
    nowMs: () => now,
  });
  const failures = (): number => said.filter((line) => line.includes("trying again")).length;
  await goOnUntil(() => failures() === 1);
  for (const waitMs of [1000, 2000, 4000]) {
    const [before, asked] = [failures(), requests];
    now += waitMs - 1;
    let looks = 0;
    await goOnUntil(() => (looks += 1) > 20);
    expect([failures(), requests]).toEqual([before, asked]);
    now += 1;
    await goOnUntil(() => failures() === before + 1);
  }
});

test("without a node to ask, it is reported once what helps", async () => {
  const { overlay, follower, said, goOnUntil } = await loseSilently({ withNode: false });
  const { finalizedSlot } = overlay.state;
  await goOnUntil(() => said.length > 0);
  let looks = 0;
  await goOnUntil(() => (looks += 1) > 20);
  expect(said).toEqual([expect.stringMatching(/--repair-rpc.*newer ledger snapshot/u)]);
  expect(follower.state.gap).not.toBe(null);
  expect(overlay.state.finalizedSlot).toBe(finalizedSlot);
});

const SECOND = 1000;

test.each([
  ["that does not replay", { kind: "silent" }],
  ["that refuses to replay", { kind: "none" }],
] as const)("a server %s keeps its stream, and is asked ever more seldom", async (_what, replayMode) => {
  let now = 0;
  const nowMs = (): number => now;
  const { overlay, follower, source, said, upstream, goOnUntil } = await loseSilently({
    withNode: false,
    replayMode,
    nowMs,
  });
  const { finalizedSlot } = overlay.state;
  /** Requests for streams while so much time passes, in steps. */
  const requestsIn = async (ms: number, stepMs: number): Promise<number> => {
    const before = upstream.requests.length;
    for (const endMs = now + ms; now < endMs; now += stepMs) {
      let turns = 0;
      await goOnUntil(() => (turns += 1) > 3 && source.state.connected && upstream.subscribers === 1);
    }
    return upstream.requests.length - before;
  };
  await goOnUntil(() => follower.state.gap !== null);
  const before = upstream.requests.length;
  await goOnUntil(() => said.length > 0);
  await requestsIn(80 * SECOND, 5 * SECOND);
  // Two prompt streams and one after a minute, each of which may be refused and asked for again. On a busy machine some of
  // the stream before count too. Without a pace there would be one in each step, and more.
  expect(upstream.requests.length - before).toBeLessThanOrEqual(12);
  expect(await requestsIn(30 * 60 * SECOND, 60 * SECOND)).toBeLessThanOrEqual(20);
  expect(said).toEqual([expect.stringMatching(/--repair-rpc.*newer ledger snapshot/u)]);
  expect(follower.state).toMatchObject({ gap: { finalizedSlot }, gaps: 1 });
  expect(overlay.state.finalizedSlot).toBe(finalizedSlot);
});
