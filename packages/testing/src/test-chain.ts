import { createInProcessClient } from "@lamplight/client/in-process";
import type { Client } from "@lamplight/client";
import { encodeAddress } from "@lamplight/codecs";
import type { Commitment, ReadView, ViewSource } from "@lamplight/core";
import {
  type AddressLike,
  ChainWorld,
  type CollectionInput,
  type MintInput,
  readAddress,
  readWhole,
  type Wallet,
} from "@lamplight/devchain";
import { MemoryChain } from "@lamplight/indexer";
import { readAccountDumps } from "@lamplight/sources/dumps";
import type { ChainSnapshot } from "./chain-snapshot.ts";
import { ClonedAsset, type CloneOptions, readClone } from "./clone.ts";
import type { AdvanceChoice, TestChainOptions } from "./test-chain-options.ts";
import { ChainHttp, fetchOf } from "./access/chain-fetch.ts";
import { withFaults } from "./access/faulty-client.ts";
import { InProcessServer } from "./access/in-process-server.ts";
import { listen, type Listening, type ListenOptions } from "./access/listen.ts";
import { SvmCalls } from "./access/svm-calls.ts";
import { type ChainTransport, transportOf } from "./access/transport.ts";
import { pagesDirectory } from "./access/pages-directory.ts";
import { type Fault, Faults } from "./faults.ts";
import { type NewAccount, readNewAccount } from "./new-account.ts";
import {
  atOnce,
  checkOptions,
  readCommitment,
  readConsensus,
  readMethods,
  type SlotsUntil,
  checkAdvance,
  checkListen,
  rethrow,
} from "./read-options.ts";
import { slotEventOf, type SlotListener, SlotListeners } from "./slot-listeners.ts";
import type { Attached } from "./svm/attach-svm.ts";
import type { LiteSvmLike } from "./svm/lite-svm.ts";
import { TestAsset } from "./test-asset.ts";
import { TestToken } from "./test-token.ts";

/** `advance` and `warpTo` make blocks for the last slots of their way, up to this many. They skip the slots before. */
const BLOCKS_OF_ADVANCE_MAX = 64;
const LAG_SLOTS_MAX = 256;

/** A Solana chain in this process. See `createTestChain`. */
export class TestChain implements AsyncDisposable {
  /** Typed calls, in process. */
  readonly client: Client;
  /** A `fetch` that reaches this chain, regardless of the address: for web3.js, Kit, umi, helius-sdk, MSW. */
  readonly fetch: typeof globalThis.fetch;
  /** Kit's transport to this chain, for `createSolanaRpcFromTransport` and helius-sdk. */
  readonly transport: ChainTransport;
  readonly #world: ChainWorld;
  readonly #memory = new MemoryChain();
  readonly #faults = new Faults();
  readonly #listeners = new SlotListeners();
  readonly #server: InProcessServer;
  readonly #calls: SvmCalls;
  readonly #createPages: () => InProcessServer;
  readonly #http: ChainHttp;
  readonly #slotsUntil: SlotsUntil;
  readonly #listening = new Set<Listening>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: TestChainOptions) {
    checkOptions(options);
    const { seed, firstSlot, autoFinalize = true, consensus = "towerbft", profile } = options;
    const assetCommitment = readCommitment(options.assetCommitment ?? "confirmed");
    this.#world = new ChainWorld({
      ...(seed === undefined ? {} : { seed }),
      ...(firstSlot === undefined ? {} : { firstSlot }),
    });
    const slotsUntil = readConsensus(consensus);
    this.#slotsUntil = autoFinalize ? atOnce : slotsUntil;
    const viewSource: ViewSource = { openView: (commitment) => this.#openView(commitment) };
    this.client = createInProcessClient({
      viewSource,
      profile,
      assetCommitment,
      retry: options.retry,
      intercept: (transport) => withFaults(transport, this.#faults),
    });
    const served = { viewSource, assetCommitment, methods: readMethods(options.methods) };
    this.#server = new InProcessServer({ ...served, docsDirectory: null });
    this.#createPages = () => new InProcessServer({ ...served, docsDirectory: pagesDirectory() });
    this.#calls = new SvmCalls(this.#server, viewSource);
    this.#http = new ChainHttp(this.#calls, this.#faults, served.methods.includes("das"));
    this.fetch = fetchOf(this.#http);
    this.transport = transportOf(this.fetch);
  }

  /** The newest slot. */
  get slot(): number {
    return this.#memory.slotOf("processed");
  }

  /** The wallet of that name, with 10 SOL. The same seed and name give the same key pair. */
  wallet(name: string): Wallet {
    return this.#world.wallet(name);
  }

  /** @throws LamplightError `CHAIN__INVALID_INPUT`, which names the property */
  mint(input: MintInput): Promise<TestAsset> {
    return this.#operate((world) => this.#assetOf(world.mint(input), input.kind));
  }

  /** Creates a collection, or a group. Default kind `core`. */
  collection(input: CollectionInput): Promise<TestAsset> {
    return this.#operate((world) => this.#assetOf(world.createCollection(input), input.kind ?? "core"));
  }

  /** Creates a Merkle tree for compressed assets, with 2^depth leaves. Returns its address. */
  tree(options: { readonly depth?: number } = {}): Promise<string> {
    return this.#operate((world) => world.createTree(options));
  }

  /** A fungible token, by its mint. */
  token(mint: AddressLike): TestToken {
    return new TestToken(encodeAddress(readAddress(mint, "mint")), this.client);
  }

  /** Writes any account. */
  setAccount(account: NewAccount): Promise<void> {
    return this.setAccounts([account]);
  }

  /** Writes any accounts, in one slot. */
  setAccounts(accounts: readonly NewAccount[]): Promise<void> {
    return this.#operate((world) => {
      for (const account of accounts.map(readNewAccount)) world.setAccount(account);
    });
  }

  /**
   * Writes all accounts of dump files below a folder, as `solana account --output json` writes them.
   *
   * @returns the number of accounts
   */
  async loadAccounts(folder: string): Promise<number> {
    let count = 0;
    for await (const { accounts } of readAccountDumps([folder], { onBad: rethrow })) {
      await this.#operate((world) => {
        for (const account of accounts) world.setAccount(account);
      });
      count += accounts.length;
    }
    return count;
  }

  /**
   * Copies an account of another chain, in one slot, with all that describes the same asset: its metadata, edition,
   * token account, token record and collection. Off-chain documents are not copied.
   *
   * ```ts
   * const ape = await chain.clone(mint, { from: "https://api.mainnet-beta.solana.com" });
   * console.log((await ape.get()).ownership.owner);
   * ```
   *
   * @throws LamplightError `CHAIN__INVALID_INPUT`: `address` has no account there, or `from` does not answer
   */
  async clone(address: AddressLike, options: CloneOptions): Promise<ClonedAsset> {
    const accounts = await readClone(address, options);
    await this.#operate((world) => accounts.forEach((account) => world.setAccount(account)));
    const addresses = accounts.map((account) => encodeAddress(account.address));
    return new ClonedAsset(addresses[0]!, addresses, this.client);
  }

  /** Produces empty slots. */
  advance(choice: AdvanceChoice): Promise<void> {
    checkAdvance(choice);
    const { slots } = choice;
    const count = readWhole(slots, "slots", 1, 1_000_000_000);
    return this.#enqueue(() => this.#advanceTo(this.#world.nextSlot + count - 1));
  }

  /** Produces empty slots up to that slot, or until the chain's clock shows that time. */
  warpTo(target: number | Date): Promise<void> {
    return this.#enqueue(() => {
      const slot = typeof target === "number" ? target : this.#world.slotAt(target);
      return this.#advanceTo(readWhole(slot, "target", this.#world.nextSlot, Number.MAX_SAFE_INTEGER));
    });
  }

  /**
   * Rolls the newest slots back, and produces an empty slot on another fork.
   *
   * ```ts
   * await chain.mint({ kind: "core", owner: chain.wallet("alice"), name: "Cat" });
   * await chain.fork(1); // the cat was never minted
   * ```
   *
   * @throws LamplightError `CHAIN__FINALIZED` where one of them is finalized: turn `autoFinalize` off
   */
  fork(slots: number): Promise<void> {
    const count = readWhole(slots, "slots", 1, LAG_SLOTS_MAX);
    return this.#enqueue(async () => {
      await this.#closeOpenSlot();
      this.#memory.rollback(this.slot - count);
      this.#world.undoSlotsAbove(this.slot);
      await this.#closeSlot();
    });
  }

  /**
   * Calls a function after each new slot, once calls answer with it; after a `restore` too. Slots that `advance` skips
   * have no block and no call. An error that a listener throws is printed as a warning.
   *
   * ```ts
   * const stop = chain.on("slot", ({ slot, finalizedSlot }) => console.log(slot, finalizedSlot));
   * ```
   *
   * @returns a function that ends the calls
   */
  on(event: "slot", listener: SlotListener): () => void {
    return this.#listeners.add(event, listener);
  }

  snapshot(): Promise<ChainSnapshot> {
    return this.#enqueue(async () => {
      await this.#closeOpenSlot();
      return { world: this.#world.snapshot(), memory: this.#memory.snapshot() };
    });
  }

  restore(snapshot: ChainSnapshot): Promise<void> {
    return this.#enqueue(async () => {
      this.#world.restore(snapshot.world);
      this.#memory.restore(snapshot.memory);
      this.#listeners.emit(slotEventOf(this.#memory));
    });
  }

  /** Serves the chain on a port of this machine, for browsers and other processes. */
  async listen(options: ListenOptions = {}): Promise<Listening> {
    checkListen(options);
    const listening = await listen(this.#http, options, options.explorer ? this.#createPages() : null);
    this.#listening.add(listening);
    return listening;
  }

  /** Makes the next calls fail, whether they come by `client`, `fetch` or `listen`. */
  fail(fault: Fault): void {
    this.#faults.add(fault);
  }

  /** Delays every answer. */
  delay(ms: number): void {
    this.#faults.delayMs = readWhole(ms, "ms", 0, 2 ** 31 - 1);
  }

  /** Answers with the state of so many slots ago, as an index that lags. */
  lag(slots: number): void {
    this.#memory.lagSlots = readWhole(slots, "slots", 0, LAG_SLOTS_MAX);
  }

  /** Ends all faults: `fail`, `delay` and `lag`. */
  heal(): void {
    this.#faults.clear();
    this.#memory.lagSlots = 0;
  }

  /**
   * Indexes what a LiteSVM instance executes, from now on. `fetch` and `listen` send transactions to it.
   *
   * ```ts
   * const attached = chain.attach(svm);
   * svm.sendTransaction(transaction); // the accounts that it wrote are one slot of the chain
   * attached.detach();
   * ```
   */
  attach(svm: LiteSvmLike): Attached {
    return this.#calls.attach(svm, (write) => void this.#operate(write));
  }

  async close(): Promise<void> {
    await this.#queue.catch(() => undefined);
    this.#listeners.clear();
    for (const listening of this.#listening) await listening.close();
    await this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #operate = <Result>(work: (world: ChainWorld) => Result): Promise<Result> =>
    this.#enqueue(async () => {
      const result = work(this.#world);
      await this.#closeSlot();
      return result;
    });

  #assetOf(id: string, kind: TestAsset["kind"]): TestAsset {
    return new TestAsset(id, kind, { operate: this.#operate, client: this.client });
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #openView(commitment: Commitment): Promise<ReadView> {
    await this.#queue;
    if (this.#world.hasWrites) await this.#enqueue(() => this.#closeOpenSlot());
    return this.#memory.openView(commitment);
  }

  /** Ends the slot of writes outside of an operation, such as new wallets. */
  async #closeOpenSlot(): Promise<void> {
    if (this.#world.hasWrites) await this.#closeSlot();
  }

  async #advanceTo(slot: number): Promise<void> {
    await this.#closeOpenSlot();
    this.#world.skipTo(Math.max(0, slot - BLOCKS_OF_ADVANCE_MAX));
    while (this.#world.nextSlot <= slot) await this.#closeSlot();
  }

  async #closeSlot(): Promise<void> {
    const { documents, ...slot } = this.#world.takeSlot();
    for (const [uri, json] of documents) this.#memory.putDocument(uri, json);
    await this.#memory.add(slot);
    const { confirmed, finalized } = this.#slotsUntil;
    this.#memory.confirm(slot.slot - confirmed);
    this.#memory.finalize(slot.slot - finalized);
    this.#listeners.emit(slotEventOf(this.#memory));
  }
}
