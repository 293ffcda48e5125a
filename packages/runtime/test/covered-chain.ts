// A chain that moves, and stores of some of its programs that follow it, of either engine.
import { setTimeout as sleep } from "node:timers/promises";
import { encodeAddress, programAddressTexts } from "@lamplight/codecs";
import {
  type Account,
  type CoverageRequest,
  type FilteredCoverage,
  type IndexStore,
  parseCoverageRequest,
  withRequest,
  withTrees,
  writeCoverageRequest,
} from "@lamplight/core";
import { ChainSimulation } from "@lamplight/devchain";
import { SimulatedHistory, SimulatedYellowstone } from "@lamplight/devchain/upstream";
import { createIndexer, verifyAssets, verifyRows } from "@lamplight/indexer";
import { openStoreExport } from "../src/copy/open-copy.ts";
import { engineOf } from "../src/engine/engines.ts";
import { followChain } from "../src/follow/follow-chain.ts";
import { coversAccount } from "../src/follow/followed-accounts.ts";
import type { Upstream } from "../src/follow/follow-options.ts";
import type { Following } from "../src/follow/following.ts";
import type { SnapshotPlace } from "../src/snapshot/program-messages.ts";
import { openStoreForReading } from "../src/store/open-store.ts";
import { finalizedAccounts } from "./finalized-accounts.ts";

const { token, tokenMetadata, mplCore } = programAddressTexts;
export const programs = { token, tokenMetadata, mplCore };

export const covering = (some: readonly string[]): FilteredCoverage => ({
  kind: "filtered",
  programs: some,
  owners: [],
  mints: [],
  collections: [],
});

/** Milliseconds between two slots of the chain. */
const SLOT_MS = 5;
/** A slot waits so long for those before it: while a stream is started again, none is taken. */
const WAIT_MS_MAX = 1000;
/** What a test waits for is checked this often. */
const SLOTS_PER_CHECK = 5;

export class CoveredChain {
  /** Whether a store knows of all that was created and closed since it began to follow. */
  readonly seesEveryWrite: boolean = true;
  readonly simulation: ChainSimulation;
  readonly upstream: SimulatedYellowstone;
  readonly history: SimulatedHistory;
  #upstreamUrl = "";
  #nodeUrl = "";
  readonly said: string[] = [];
  /** JSON lines about the progress of programs that are added. */
  readonly progress: string[] = [];
  protected readonly live = new Map<string, Following>();

  constructor(seed: number) {
    const simulation = new ChainSimulation({ seed, isChaotic: true });
    this.simulation = simulation;
    this.upstream = new SimulatedYellowstone({ replay: (from) => simulation.replay(from) });
    this.history = new SimulatedHistory(simulation);
  }

  async start(): Promise<void> {
    this.#upstreamUrl = await this.upstream.start();
    this.#nodeUrl = await this.history.start();
  }

  /** A store of these programs, loaded with the beginning of the chain. */
  async load(url: string, coverage: FilteredCoverage): Promise<void> {
    const store = await engineOf(url).openWriter(url, { create: true });
    const { accounts, slot, blockhash } = this.simulation.genesis;
    await store.writeCoverage(coverage);
    await createIndexer(store).applyAccounts(accounts.filter(coversAccount(coverage)), { slot, blockhash });
    await store.close();
  }

  /** The same with the finalized state of now, and without the transactions before. */
  async loadNow(url: string, coverage: FilteredCoverage): Promise<void> {
    const store = await engineOf(url).openWriter(url, { create: true });
    const { finalized: slot } = this.simulation;
    const living = finalizedAccounts(this.simulation).filter(({ lamports }) => lamports > 0n);
    const { blockhash } = this.simulation.block(slot)!;
    await store.writeCoverage(coverage);
    await createIndexer(store).applyAccounts(living.filter(coversAccount(coverage)), { slot, blockhash });
    await store.close();
  }

  /**
   * Follows the chain, with an RPC node to read programs from unless `repairs` is false.
   *
   * @param fillSnapshot - archives to read programs from
   */
  async follow(url: string, repairs = true, fillSnapshot?: SnapshotPlace): Promise<Following> {
    const store = await engineOf(url).openWriter(url, { create: false, follows: true });
    const upstream = {
      kind: "yellowstone",
      url: this.#upstreamUrl,
      token: null,
      commitment: "processed",
      repairRpc: repairs ? this.#nodeUrl : null,
      ...(fillSnapshot === undefined ? {} : { fillSnapshot }),
    } as const;
    return this.followFrom(url, store, upstream);
  }

  protected async followFrom(url: string, store: IndexStore, upstream: Upstream): Promise<Following> {
    const live = await followChain(store, upstream, {
      store: url,
      withSearch: false,
      callsForever: true,
      say: (line) => this.said.push(line),
      output: { isJson: true, write: (line) => this.progress.push(line) },
    });
    live.ended.catch((error: unknown) => this.said.push(`ended: ${String(error)}`));
    this.live.set(url, live);
    return live;
  }

  async stopFollowing(url: string): Promise<void> {
    await this.live.get(url)?.stop();
    this.live.delete(url);
  }

  /** Lets the chain move until something holds. */
  async moveUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let slots = 0; slots % SLOTS_PER_CHECK > 0 || !(await holds()); slots += 1) await this.next();
  }

  async move(slots: number): Promise<void> {
    for (let slot = 0; slot < slots; slot += 1) await this.next();
  }

  /** The chain does not run away from stores that are written slowly. */
  protected async next(): Promise<void> {
    const { finalized } = this.simulation;
    this.upstream.emit(this.simulation.next());
    await this.untilFinal(finalized);
  }

  protected async untilFinal(finalized: number): Promise<void> {
    await sleep(SLOT_MS);
    const startMs = performance.now();
    const isBehind = (): boolean =>
      [...this.live.values()].some((live) => (live.finalizedSlot ?? 0) < finalized);
    while (isBehind() && performance.now() - startMs < WAIT_MS_MAX) await sleep(SLOT_MS);
  }

  /** Finalizes everything, until all stores that follow have it. */
  async settle(): Promise<void> {
    this.upstream.emit(this.simulation.settle());
    const { finalized } = this.simulation;
    while ([...this.live.values()].some((live) => live.finalizedSlot !== finalized)) await sleep(SLOT_MS);
  }

  request(
    url: string,
    { trees = [], dropTrees = [], ...more }: Partial<CoverageRequest> & { dropTrees?: readonly string[] },
  ): Promise<void> {
    const { requestCoverage } = engineOf(url);
    if (typeof requestCoverage === "string") throw new Error(requestCoverage);
    return requestCoverage(url, (known) =>
      writeCoverageRequest(
        withTrees(withRequest(parseCoverageRequest(known), { add: [], drop: [], ...more }), {
          add: trees,
          drop: dropTrees,
        }),
      ),
    );
  }

  /** What waits for the process that follows. */
  async requested(url: string): Promise<CoverageRequest> {
    return parseCoverageRequest(await engineOf(url).readCoverageRequest(url));
  }

  /** Trees of which a finalized change is missing. */
  async incompleteTrees(url: string): Promise<readonly string[]> {
    const reader = await openStoreForReading(url);
    const view = await reader.openView("finalized");
    const trees = view.incompleteTrees.map(({ tree }) => tree);
    view.close();
    reader.close();
    return trees;
  }

  /** Whether a store covers these programs, and nothing changes any more. */
  async covers(url: string, some: readonly string[]): Promise<boolean> {
    const { programs: now, filling = [], dropping = [] } = await this.coverage(url);
    return filling.length + dropping.length === 0 && now.toSorted().join() === some.toSorted().join();
  }

  async coverage(url: string): Promise<FilteredCoverage> {
    const kept = await openStoreExport(url);
    await kept.close();
    return kept.head.coverage as FilteredCoverage;
  }

  async stop(): Promise<void> {
    for (const url of this.live.keys()) await this.stopFollowing(url);
    this.upstream.stop();
    this.history.stop();
  }
}

/** Accounts and assets of a store as lines, without the slots of accounts that an RPC node read. Burnt assets are apart. */
export const contentOf = async (url: string) => {
  const kept = await openStoreExport(url);
  const [living, assets, burnt, editions, closed]: string[][] = [[], [], [], [], []];
  for await (const page of kept.pages("accounts"))
    for (const { current, lastLife } of page)
      if (current.lamports > 0n) living!.push(accountText(current));
      else closed!.push(`${encodeAddress(current.address)} ${lastLife === null ? "" : "life"}`);
  for await (const page of kept.pages("assets"))
    for (const asset of page)
      (asset.burnt ? burnt! : assets!).push(
        text({ ...asset, ordinal: 0, changeSeq: 0, createdSlot: 0, updatedSlot: 0 }),
      );
  for await (const page of kept.pages("editions")) for (const edition of page) editions!.push(text(edition));
  await kept.close();
  return {
    living: living!.toSorted(),
    assets: assets!.toSorted(),
    burnt: burnt!.toSorted(),
    editions: editions!.toSorted(),
    closed: closed!,
  };
};

/** What is wrong in a store that no process writes. */
export const faultsOf = async (url: string): Promise<readonly string[]> => {
  const kept = await openStoreExport(url);
  const store = await engineOf(url).openWriter(url, { create: false });
  const found = [...(await verifyRows(kept, store)), ...(await store.checkIntegrity())];
  const { differing } = await verifyAssets(store);
  await store.close();
  await kept.close();
  return differing === 0 ? found : [...found, `${differing} assets differ`];
};

const accountText = ({ address, programOwner, lamports, data }: Account): string =>
  text([address, programOwner, lamports, Buffer.from(data).toString("base64")]);

const text = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name: string) {
    const member = this[name];
    if (member instanceof Uint8Array) return encodeBytes(member);
    return typeof member === "bigint" ? `${member}n` : member;
  });

const encodeBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
