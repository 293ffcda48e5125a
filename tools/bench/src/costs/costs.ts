import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey, noLimits, openKeyStore } from "@lamplight/server/command";
import { type Bench, type Figure, median, TooBusyError } from "../bench.ts";
import { budgets } from "../budgets.ts";
import { accountCalls, addressesIn, assetCalls, callText } from "../harness/calls.ts";
import { askForAll, load } from "../harness/load.ts";
import { fineSeconds } from "../harness/process-seconds.ts";
import { inRounds, ratiosOf } from "../harness/rounds.ts";
import { pinLoad, type ServerProcess, serveStore } from "../harness/serve.ts";
import { sampleStore } from "../sample-store.ts";

const ACCOUNTS = 50_000;
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 1;
const ROUNDS = 5;
/** Rounds for the price of a key, and requests of each connection in one. They are short, so that other work disturbs few. */
const KEY_ROUNDS = 500;
const KEY_CALLS = 10;
/** As long as a key of a key store. */
const listedKey = "bench".padEnd(46, "-");
const MICROS = 1e6;
const base = "getAccountInfo";

export const costsBench: Bench = {
  name: "costs",
  about: "processor time of a call of each method, which is its default cost; and of a key with limits",
  async run(say): Promise<readonly Figure[]> {
    const file = await sampleStore("assets", ACCOUNTS, say);
    const folder = mkdtempSync(join(tmpdir(), "lamplight-bench-costs-"));
    const servers: ServerProcess[] = [];
    const unpin = pinLoad();
    try {
      servers.push(await serveStore(`sqlite:${file}`, { isPinned: true, keys: [listedKey] }));
      const [listed] = servers;
      const costs = await costFigures(listed!, workOf(file), say);
      servers.push(await serveWithKeys(`sqlite:${file}`, join(folder, "keys.json")));
      return [...costs, await keyFigure(servers, accountCalls(file), say)];
    } finally {
      unpin();
      for (const server of servers) server.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";

const of = (method: string, addresses: readonly string[], ...more: readonly unknown[]) =>
  [method, addresses.map((address) => callText(method, [address, ...more]))] as const;

/** Calls as a client sends them that knows no parameter but what it must. */
const workOf = (file: string): ReadonlyMap<string, readonly string[]> => {
  const mints = addressesIn(file, "SELECT DISTINCT mint FROM holding LIMIT ?");
  const owners = addressesIn(file, "SELECT DISTINCT token_owner FROM holding LIMIT ?");
  const prints = addressesIn(file, "SELECT DISTINCT mint FROM edition LIMIT ?");
  const delegates = addressesIn(
    file,
    "SELECT DISTINCT delegate FROM account WHERE delegate IS NOT NULL LIMIT ?",
  );
  return new Map<string, readonly string[]>([
    [base, accountCalls(file)],
    ["getAsset", assetCalls(file)],
    of("getTokenSupply", mints),
    ["getLargestAccounts", [callText("getLargestAccounts", [])]],
    of("getNftEditions", prints),
    of("getTokenAccountsByDelegate", delegates, { programId: tokenProgram }),
    ["searchAssets", owners.map((ownerAddress) => callText("searchAssets", { ownerAddress }))],
  ]);
};

const costFigures = async (
  server: ServerProcess,
  work: ReadonlyMap<string, readonly string[]>,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  const micros = new Map<string, number>();
  const calls = new Map<string, readonly string[]>();
  // All of them before any is measured: the first would pay for what they share.
  for (const [method, sent] of work) {
    const bodies = await answered(server.url, sent);
    if (bodies.length === 0) continue;
    await load(server, bodies, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    calls.set(method, bodies);
  }
  for (const [method, bodies] of calls) {
    const [loads] = await inRounds(ROUNDS, [server], () =>
      load(server, bodies, { connections: CONNECTIONS, seconds: ROUND_SECONDS }),
    );
    micros.set(method, median(loads!.map(({ serverMicros }) => serverMicros)));
    say(`${method}: ${Math.round(micros.get(method)!)} µs`);
  }
  return [...micros].map(([method, value]) => ({
    name: `cost of ${method}`,
    value: value / micros.get(base)!,
    unit: `× ${base}`,
  }));
};

/** Those of the calls that have a result: not every print of the sample has a master. */
const answered = async (url: URL, bodies: readonly string[]): Promise<readonly string[]> => {
  const kept: string[] = [];
  for (const body of bodies) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    if ("result" in ((await response.json()) as object)) kept.push(body);
  }
  return kept;
};

/** A key with every limit, none of which is reached, and all that an operator sees of it. */
const serveWithKeys = async (store: string, keyStore: string): Promise<ServerProcess> => {
  const key = await createKey(await openKeyStore(keyStore), {
    name: "bench",
    expires: null,
    limits: {
      ...noLimits,
      requestsPerSecond: 1_000_000,
      unitsPerSecond: 100_000_000,
      requestsPerDay: 1_000_000_000_000,
      unitsPerDay: 1_000_000_000_000,
      concurrency: 100_000,
    },
  });
  const flags = [`--key-store=${keyStore}`, "--metrics-port=0", "--access-log=sampled"];
  return serveStore(store, { isPinned: true, keys: [], urlKey: key, flags });
};

const keyFigure = async (
  servers: readonly ServerProcess[],
  bodies: readonly string[],
  say: (line: string) => void,
): Promise<Figure> => {
  for (const server of servers)
    await load(server, bodies, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const [listed, stored] = await inRounds(KEY_ROUNDS, servers, async ({ pid, url }, round) => {
    const first = (round * KEY_CALLS) % (bodies.length - KEY_CALLS);
    const before = fineSeconds([pid]);
    const refused = await askForAll(url, bodies.slice(first, first + KEY_CALLS), CONNECTIONS);
    if (refused > 0) throw new TooBusyError(`${refused} calls were refused`);
    return ((fineSeconds([pid]) - before) * MICROS) / (KEY_CALLS * CONNECTIONS);
  });
  say(`key: ${[listed!, stored!].map((micros) => Math.round(median(micros))).join(", ")} µs`);
  const ratios = ratiosOf(stored!, listed!, (micros) => micros);
  return {
    name: "getAccountInfo: key with limits, metrics and sampled access log",
    value: median(ratios),
    unit: "× a listed key alone",
    budget: budgets.keyTimeOverListed,
  };
};
