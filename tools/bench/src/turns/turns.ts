import { type ChildProcess, fork } from "node:child_process";
import { type Bench, type Figure, percentile } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { keptStore } from "../kept-store.ts";
import { type HostileCall, hostileCalls } from "./hostile-calls.ts";
import { buildHostileStore, type HostileSizes } from "./hostile-store.ts";

const sizes: HostileSizes = {
  delegated: 200_000,
  heldMints: 150_000,
  owned: 100_000,
  prints: 200_000,
  large: 64,
  largeBytes: 2 << 20,
  accountBytes: 10 << 20,
};

/** Raise when the store changes. */
const STORE_VERSION = 1;
const KEY = "bench-key-of-turns";
const PROBE_EVERY_MS = 20;

/** Expensive calls one after another, with a probe next to them: how long a turn of the event loop is, and memory. */
export const turnsBench: Bench = {
  name: "turns",
  about: "processor time of turns of the event loop under the most expensive calls",
  async run(say): Promise<readonly Figure[]> {
    const file = await hostileStore(say);
    const server = fork(new URL("turns-server.ts", import.meta.url), [file], {
      execArgv: ["--conditions=@lamplight/source"],
    });
    try {
      const { url } = await messageOf<{ url: string }>(server);
      const figures: Figure[] = [];
      for (const call of hostileCalls(sizes.prints)) figures.push(...(await measure(server, url, call, say)));
      return figures;
    } finally {
      server.kill();
    }
  },
};

const hostileStore = (say: (line: string) => void): Promise<string> =>
  keptStore("turns", STORE_VERSION, (file) => {
    say(`building a store: ${JSON.stringify(sizes)}`);
    return buildHostileStore(file, sizes);
  });

const messageOf = <Message>(child: ChildProcess): Promise<Message> =>
  new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error("the server has ended"));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as Message);
    });
  });

interface TurnsReport {
  readonly turns: readonly number[];
  readonly peakBytes: number;
}

const measure = async (
  server: ChildProcess,
  url: string,
  call: HostileCall,
  say: (line: string) => void,
): Promise<Figure[]> => {
  const ask = async (): Promise<TurnsReport> => {
    server.send("report");
    return messageOf<TurnsReport>(server);
  };
  // The first answer warms the caches of the store.
  await post(url, call.body);
  await ask();
  const startMs = performance.now();
  const answering = post(url, call.body);
  const probesMs = await probeUntil(url, answering);
  const { bytes, start } = await answering;
  const tookMs = performance.now() - startMs;
  const { turns, peakBytes } = await ask();
  say(
    `${call.name}: ${Math.round(tookMs)} ms, ${turns.length} turns, ${bytes} bytes, ` +
      `${Math.round(peakBytes / 2 ** 20)} MiB; ${start}`,
  );
  const budget = call.single === undefined ? budgets.turnP99Ms : budgets.singleTurnMs;
  const about = call.single === undefined ? "" : ` (${call.single})`;
  return [
    { name: `${call.name}: turn, p99${about}`, value: percentile(turns, 0.99), unit: "ms", budget },
    {
      name: `${call.name}: longest turn`,
      value: Math.max(0, ...turns),
      unit: "ms",
      budget: budgets.singleTurnMs,
    },
    { name: `${call.name}: slowest probe next to it`, value: Math.max(0, ...probesMs), unit: "ms" },
  ];
};

const post = async (url: string, body: string): Promise<{ bytes: number; start: string }> => {
  const response = await fetch(`${url}/v3/${KEY}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  return { bytes: Buffer.byteLength(text), start: text.slice(0, 160) };
};

const probeUntil = async (url: string, answered: Promise<unknown>): Promise<readonly number[]> => {
  const over = new AbortController();
  void answered.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const startMs = performance.now();
    await (await fetch(`${url}/livez`)).text();
    times.push(performance.now() - startMs);
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  return times;
};
