// Threads that answer as one server, over a store of either engine.
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress } from "@lamplight/codecs";
import { Random } from "@lamplight/devchain";
import { expect } from "vitest";
import { type FollowedChain, kill, type Running, untilLogged } from "./followed-chain.ts";
import { until } from "./until.ts";

export const workersSeed = Number(process.env["LAMPLIGHT_WORKERS_SEED"] ?? 5);
/** Slots that are followed; each is compared while the next ones are written. */
const slots = Number(process.env["LAMPLIGHT_WORKERS_SLOTS"] ?? 40);
/** Calls whose answers are compared byte for byte. */
const CALLS = 300;
const WORKERS = 3;
/** Between two calls of a client. One that never pauses takes the processor from what it calls. */
const PAUSE_MS = 30;
/** A batch asks for every asset. */
export const workersConfig = JSON.stringify({ limits: { batchCalls: 2000 } });

const urlOf = async (running: Running): Promise<string> =>
  (JSON.parse(await untilLogged(running, /"msg":"serving"/u)) as { readonly url: string }).url;

interface Reply {
  readonly text: string;
  readonly slot: number;
}

/** Over a connection of its own: the system chooses the worker again. */
const post = (url: string, body: unknown): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    const headers = { "content-type": "application/json" };
    const asked = request(`${url}/v3/k`, { method: "POST", agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ text: Buffer.concat(chunks).toString(), slot: Number(response.headers["x-slot"]) }),
      );
    });
    asked.on("error", reject).end(JSON.stringify(body));
  });

const call = (method: string, params: unknown, id = 1): object => ({ jsonrpc: "2.0", id, method, params });

interface Asset {
  readonly id: string;
  readonly burnt: boolean;
  readonly interface: string;
  readonly ownership: { readonly owner: string; readonly ownership_model: string };
}
interface Page {
  readonly total: number;
  readonly items: readonly Asset[];
}

/** Each search with what it means for one asset. */
const searchesFor = (owner: string): readonly (readonly [object, (asset: Asset) => boolean])[] => [
  [{}, () => true],
  [{ burnt: true }, ({ burnt }) => burnt],
  [{ interface: "V1_NFT" }, (asset) => asset.interface === "V1_NFT"],
  [{ interface: "FungibleToken", negate: true }, (asset) => asset.interface !== "FungibleToken"],
  [
    { ownerAddress: owner, ownerType: "single" },
    ({ ownership }) => ownership.ownership_model === "single" && ownership.owner === owner,
  ],
];

/** Asks for searches and every asset in one batch, which is one slot: each search is a filter over the assets. */
const expectSearchesAreFilters = async (url: string, owner: string): Promise<number> => {
  for (;;) {
    const all = await post(url, call("searchAssets", { limit: 1000 }));
    const ids = (JSON.parse(all.text) as { result: Page }).result.items.map(({ id }) => id);
    const searches = searchesFor(owner);
    const batch = [
      ...searches.map(([criteria], id) => call("searchAssets", { ...criteria, limit: 1000 }, id)),
      ...ids.map((id, index) => call("getAsset", { id }, searches.length + index)),
    ];
    const { text, slot } = await post(url, batch);
    const answers = JSON.parse(text) as { id: number; result?: Page | Asset; error?: { code: number } }[];
    const resultOf = new Map(answers.map(({ id, result }) => [id, result]));
    const pages = searches.map((_, id) => resultOf.get(id) as Page);
    // The chain has moved between the two requests, and has another asset now.
    if (pages[0]!.items.some(({ id }) => !ids.includes(id))) continue;
    const assets = ids.flatMap((_, index) => (resultOf.get(searches.length + index) ?? []) as Asset | []);
    for (const [index, [criteria, meets]] of searches.entries()) {
      const { total, items } = pages[index]!;
      const expected = assets.filter(meets).map(({ id }) => id);
      const found = items.map(({ id }) => id);
      expect({ criteria, total, found: found.toSorted() }).toEqual({
        criteria,
        total: expected.length,
        found: expected.toSorted(),
      });
    }
    return slot;
  }
};

const someCall = ({ simulation }: FollowedChain, random: Random): object => {
  const address = encodeAddress(simulation.samples.address(random));
  const owner = encodeAddress(simulation.samples.owner(random));
  const page = random.between(1, 3);
  const calls: readonly (readonly [string, unknown])[] = [
    ["getAccountInfo", [address, { encoding: "jsonParsed" }]],
    ["getAccountInfo", [address, { encoding: "base64" }]],
    ["getTokenSupply", [address]],
    ["getAsset", { id: address }],
    ["getAsset", { id: encodeAddress(simulation.samples.leaf(random)) }],
    ["getNftEditions", { mint: encodeAddress(simulation.samples.masterMint(random)) }],
    ["getLargestAccounts", []],
    ["searchAssets", { ownerAddress: owner, limit: 5, page }],
    ["searchAssets", { burnt: random.percent(50), limit: 5, sortBy: { sortBy: "updated" }, page }],
    ["searchAssets", { interface: "V1_NFT", limit: 5, sortBy: { sortBy: "created" }, page }],
  ];
  return call(...calls[random.below(calls.length)]!);
};

/** Checks that several workers answer as one process does, over the beginning of a chain. */
export const expectAnswersOfOne = async (chain: FollowedChain, config: string): Promise<void> => {
  const one = chain.serve("--config", config);
  const several = chain.serve("--config", config, "--workers", String(WORKERS));
  const urls = [await urlOf(one), await urlOf(several)] as const;
  for (const url of urls)
    await until(async () => (await (await fetch(`${url}/v3/k/readyz`)).text()).includes('"search"'));
  const random = new Random(workersSeed, 900, 0);
  for (let count = 0; count < CALLS; count += 1) {
    const body = someCall(chain, random);
    const [expected, answered] = await Promise.all(urls.map((url) => post(url, body)));
    expect([body, answered]).toEqual([body, expected]);
  }
  for (const running of [one, several]) await kill(running);
};

/**
 * Searches are filters over assets, and no client goes back in time.
 *
 * @param serve - with the flags it is given
 */
export const expectOneMovingState = async (
  chain: FollowedChain,
  config: string,
  serve: (...flags: readonly string[]) => Running,
): Promise<void> => {
  const running = serve("--config", config, "--workers", String(WORKERS));
  const url = await urlOf(running);
  const { simulation, upstream } = chain;
  await until(() => upstream.subscribers === 1);
  const random = new Random(workersSeed, 901, 0);
  const seen = { finalized: 0, confirmed: 0 };
  const expectForward = async (commitment: keyof typeof seen): Promise<void> => {
    const params = [encodeAddress(simulation.samples.address(random)), { commitment }];
    const from = seen[commitment];
    const { slot } = await post(url, call("getAccountInfo", params));
    expect({ commitment, slot, from, isForward: slot >= from }).toMatchObject({ isForward: true });
    seen[commitment] = Math.max(seen[commitment], slot);
  };
  let compared = 0;
  let searched = 0;
  const done = new AbortController();
  const clients = [
    ...(["finalized", "confirmed"] as const).map((commitment) => async () => {
      for (; !done.signal.aborted; await sleep(PAUSE_MS)) await expectForward(commitment);
    }),
    async () => {
      while (!done.signal.aborted) {
        const slot = await expectSearchesAreFilters(url, encodeAddress(simulation.samples.owner(random)));
        expect(slot).toBeGreaterThanOrEqual(searched);
        searched = slot;
        compared += 1;
      }
    },
  ].map((client) => client());
  const failed = Promise.all(clients).then(() => undefined);
  const write = async (): Promise<void> => {
    for (let slot = 0; slot < slots; slot += 1) {
      const before = compared;
      upstream.emit(simulation.next());
      await until(() => compared > before);
    }
    upstream.emit(simulation.settle());
    await until(() => seen.finalized === simulation.finalized && searched >= simulation.confirmed);
  };
  await Promise.race([write(), failed]).finally(() => done.abort());
  await failed;
  expect(compared).toBeGreaterThanOrEqual(slots);
  running.child.kill("SIGTERM");
  await until(() => running.child.exitCode !== null);
  expect(running.child.exitCode).toBe(0);
};
