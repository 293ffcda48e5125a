// What ends a session and what does not, against a node on loopback.

import { encodeAddress, programAddresses } from "@lamplight/codecs";
import { ChainSimulation } from "@lamplight/devchain";
import { RpcLedger, SimulatedRpc } from "@lamplight/devchain/upstream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RpcSource } from "./rpc-source.ts";

const seed = 11;
const token = encodeAddress(programAddresses.token);

let ledger: RpcLedger;
let node: SimulatedRpc;
let source: RpcSource;
let stopping: AbortController;
let running: Promise<void>;
let chain: NodeJS.Timeout;
let problems: string[];

beforeEach(async () => {
  ledger = new RpcLedger(new ChainSimulation({ seed, isStormy: true }), []);
  for (let block = 0; block < 30; block += 1) ledger.advance();
  ledger.settle();
  node = new SimulatedRpc({ ledger, seed });
  const url = await node.start();
  [problems, stopping] = [[], new AbortController()];
  source = new RpcSource({
    url: `http://${url}`,
    socketUrl: `ws://${url}`,
    targets: { programs: [token], accounts: [], mints: [], trees: [] },
    base: {
      watermark: null,
      lacking: null,
      readAccounts: async function* () {},
      readTreeSlot: async () => 0,
    },
    signal: stopping.signal,
    onProblem: ({ message }) => problems.push(message),
    censusMs: 20,
    retryMs: 1,
  });
  running = (async () => {
    for await (const _ of source.events());
  })();
  chain = setInterval(() => {
    const blocks = ledger.pass(1);
    ledger.finalizeAll();
    node.tell(blocks);
  }, 5);
});
afterEach(async () => {
  clearInterval(chain);
  stopping.abort();
  await running.catch(() => undefined);
  await node.stop();
});

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 2))]);
};

test("a census that fails is told and tried again, and ends no connection", async () => {
  await until(() => source.state.mode === "listening");
  const { connections } = source.state;
  node.refusals.set("getProgramAccounts", 502);
  await until(() => problems.length >= 3);
  expect(source.state).toMatchObject({ mode: "listening", connections });
  const { toldSlot, censusSlot } = source.state;
  await until(() => source.state.toldSlot > toldSlot);
  node.refusals.clear();
  await until(() => source.state.censusSlot > censusSlot + 100);
  expect(source.state).toMatchObject({ mode: "listening", connections });
  expect(node.listeners).toBe(1);
});
