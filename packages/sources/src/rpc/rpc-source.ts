import { setTimeout as sleep } from "node:timers/promises";
import type { Account, ConfirmedEvent, Slot, Transaction } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { DumpFault } from "../dumps/parse-account-dump.ts";
import { type AccountRow, parseRow } from "./account-row.ts";
import { ChainChecks } from "./chain-checks.ts";
import { Doorbell } from "./doorbell.ts";
import { parseEndpoint, type RpcEndpoint } from "./endpoint.ts";
import { clockAddress, FollowPlan } from "./follow-plan.ts";
import { KnownAccounts } from "./known-accounts.ts";
import {
  accountsPerBatchMax,
  censusMsDefault,
  censusRoundsMissedMax,
  pendingVersionsMax,
  pollMsDefault,
  reconnectMsFirst,
  reconnectMsMax,
  rootPollMs,
  silenceMsMax,
  subscriptionsMax,
} from "./limits.ts";
import { PendingSlots } from "./pending-slots.ts";
import { readAddresses, type ReadContext, readScan } from "./read-accounts.ts";
import { RpcClient } from "./rpc-client.ts";
import { RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";
import type { RpcOptions, RpcState } from "./rpc-options.ts";
import { type Notification, RpcSocket } from "./rpc-socket.ts";
import { SlotLine } from "./slot-line.ts";
import { TreeWatch } from "./tree-watch.ts";

/** How a reading of everything is told on. */
interface Reading {
  readonly commitment: "confirmed" | "finalized";
  readonly minSlot: Slot;
  readonly signal: AbortSignal;
  readonly tell: (account: Account) => void;
  readonly tellTransactions: (transactions: readonly Transaction[]) => Promise<void>;
  readonly say: (line: string) => void;
}

/**
 * An ordinary RPC node as a line of confirmed slots, for as long as `signal` allows. Listens first, then reads
 * everything, and holds what it was told against what it read by slot; reads everything again after each lost
 * connection, and every so often besides, since nodes tell nobody of closed accounts. Where there is no WebSocket it
 * reads again and again instead.
 *
 * @throws LamplightError from `events`: `SOURCE__REFUSED` when the node refuses us, is of another chain, or cannot
 * answer what is followed
 */
export class RpcSource {
  readonly #options: RpcOptions;
  readonly #endpoint: RpcEndpoint;
  readonly #socketEndpoint: RpcEndpoint | null;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #plan: FollowPlan;
  readonly #known: KnownAccounts;
  readonly #line: SlotLine;
  readonly #pending = new PendingSlots();
  /** What a first filling brought: final, and told at once. */
  readonly #filling = new PendingSlots();
  readonly #bell = new Doorbell();
  readonly #stopping = new AbortController();
  #trees: readonly TreeWatch[] = [];
  #isFilled: boolean;
  /** Slot of a filling that is done and not yet told. */
  #filledAt: Slot | null = null;
  #mustRewind = false;
  #session: AbortController | null = null;
  #mode: RpcState["mode"] = "connecting";
  #nodeSlot: Slot = 0;
  #finalSlot: Slot;
  /** The root that was looked at last, and could not be settled then. */
  #checkedRoot: Slot | null = null;
  #socketFailures = 0;
  #nextSocketMs = 0;
  #connections = 0;
  #notifications = 0;
  #rewinds = 0;
  #lastHeardMs = 0;
  #lastMessageMs: number | null = null;
  #censusStartedMs: number | null = null;
  #censusSlot: Slot = 0;

  /** @throws LamplightError `CLI__USAGE`, `SOURCE__REFUSED` */
  constructor(options: RpcOptions) {
    this.#options = options;
    this.#endpoint = parseEndpoint(options.url, ["http:", "https:"]);
    this.#socketEndpoint =
      options.socketUrl === null ? null : parseEndpoint(options.socketUrl, ["ws:", "wss:"]);
    const signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    this.#client = new RpcClient(this.#endpoint, signal, options.retryMs);
    this.#checks = new ChainChecks(this.#client, this.#endpoint.name);
    this.#plan = new FollowPlan(options.targets);
    if (this.#plan.singles.size + this.#plan.scans.length > subscriptionsMax) {
      throw this.#refused(`more than ${subscriptionsMax} subscriptions are too many for one node`);
    }
    this.#known = new KnownAccounts(this.#plan, this.#endpoint.name);
    const { watermark, isPartial } = options.base;
    this.#isFilled = watermark !== null && !isPartial;
    this.#line = new SlotLine(watermark?.slot ?? 0);
    this.#finalSlot = watermark?.slot ?? 0;
    signal.addEventListener("abort", () => {
      this.#session?.abort();
      this.#bell.ring();
    });
  }

  /** Name of the node without what its URL keeps secret. */
  get name(): string {
    return this.#endpoint.name;
  }

  get state(): RpcState {
    const { calls, retries, waiting, lastAnswerMs } = this.#client.state;
    const interval = this.#socketEndpoint === null ? this.#pollMs : this.#censusMs;
    return {
      mode: this.#mode,
      nodeSlot: Math.max(this.#nodeSlot, this.#line.heard),
      rootSlot: this.#line.root,
      toldSlot: this.#line.told,
      openSlots: this.#line.openSlots,
      pendingVersions: this.#pending.size + this.#filling.size,
      knownAccounts: this.#known.size,
      connections: this.#connections,
      notifications: this.#notifications,
      calls,
      retries,
      waitingCalls: waiting,
      rewinds: this.#rewinds,
      checksBlocks: this.#checks.checksBlocks,
      lastMessageMs: newest(this.#lastMessageMs, lastAnswerMs),
      censusStartedMs: this.#censusStartedMs,
      censusSlot: this.#censusSlot,
      censusAgeMsMax: Math.max(interval, rootPollMs) * censusRoundsMissedMax,
    };
  }

  async *events(): AsyncGenerator<ConfirmedEvent, void> {
    let isOver = false;
    const work = this.#work().finally(() => {
      isOver = true;
      this.#bell.ring();
    });
    const failed = work.then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const roots = this.#watchRoots();
    try {
      while (!this.#isStopped) {
        const event = await this.#next();
        if (event !== null) yield event;
        else if (isOver) break;
        else await this.#bell.rest();
      }
    } finally {
      this.#stopping.abort();
      await roots;
      const failure = await failed;
      this.#client.close();
      // oxlint-disable-next-line no-unsafe-finally -- what ended the work is what ended the stream
      if (failure !== null && !this.#options.signal.aborted) throw failure.error;
    }
  }

  get #isStopped(): boolean {
    return this.#options.signal.aborted || this.#stopping.signal.aborted;
  }

  get #pollMs(): number {
    return this.#options.pollMs ?? pollMsDefault;
  }

  get #censusMs(): number {
    return this.#options.censusMs ?? censusMsDefault;
  }

  // ---- what is told on ------------------------------------------------------------------------------------

  async #next(): Promise<ConfirmedEvent | null> {
    if (this.#mustRewind) return this.#rewind();
    if (!this.#isFilled) return this.#nextOfFilling();
    return (await this.#nextFinal()) ?? this.#nextSlot();
  }

  async #nextOfFilling(): Promise<ConfirmedEvent | null> {
    if (this.#filling.size > 0) return { kind: "fill", ...this.#takeFilling() };
    if (this.#filledAt === null) return null;
    const slot = this.#filledAt;
    if ((this.#pending.nextSlot(-1) ?? Infinity) <= slot) {
      // Told beside the filling, of slots that are final by now.
      return { kind: "fill", ...this.#pending.take(slot) };
    }
    this.#filledAt = null;
    const blockhash = await this.#checks.blockhash(slot, "finalized");
    this.#line.told = slot;
    this.#finalSlot = slot;
    this.#isFilled = true;
    this.#bell.ring();
    return { kind: "filled", watermark: { slot, blockhash } };
  }

  #takeFilling(): ReturnType<PendingSlots["take"]> {
    const lowest = this.#filling.nextSlot(-1) ?? 0;
    const taken = this.#filling.take(lowest);
    this.#bell.ring();
    return taken;
  }

  async #nextSlot(): Promise<ConfirmedEvent | null> {
    if (this.#pending.size > pendingVersionsMax) return this.#giveUp();
    if (this.#options.isHeld?.() === true) return null;
    const slot = this.#line.next(this.#pending, this.#ceiling());
    if (slot === null) return null;
    const blockhash = await this.#checks.blockhash(slot, "confirmed");
    const parent = this.#line.told;
    const told = this.#pending.take(slot);
    this.#line.noteTold(slot);
    if (slot <= this.#line.root) this.#checkedRoot = null;
    return { kind: "slot", slot, parent, blockhash, ...told };
  }

  /** Slots from it on wait for transactions of a tree. */
  #ceiling(): Slot {
    return Math.min(
      ...this.#trees.map(({ holdFrom }) => (holdFrom === null ? Infinity : holdFrom - 1)),
      Infinity,
    );
  }

  async #nextFinal(): Promise<ConfirmedEvent | null> {
    const { root } = this.#line;
    if (root === this.#checkedRoot) return null;
    const slots = this.#line.finalizable();
    this.#checkedRoot = root;
    const found = await this.#checks.finalAmong(slots, root);
    if (found === null) return null;
    if (found.final !== null) {
      this.#checkedRoot = null;
      this.#finalSlot = found.final;
      this.#line.noteFinal(found.final);
      return { kind: "finalized", slot: found.final };
    }
    if (found.died !== null) this.#takeBack(`slot ${found.died} was confirmed and did not become final`);
    return null;
  }

  /** Nothing was taken from us for too long: what waits is read again later. */
  #giveUp(): null {
    this.#takeBack(`more than ${pendingVersionsMax} changes wait`);
    return null;
  }

  #takeBack(reason: string): void {
    this.#problem(new LamplightError("SOURCE__LOST", { url: this.#endpoint.name, reason }));
    this.#mustRewind = true;
    this.#rewinds += 1;
    this.#session?.abort();
    this.#bell.ring();
  }

  async #rewind(): Promise<ConfirmedEvent | null> {
    // What a session still has under way must not mix with what is read anew.
    if (this.#session !== null) return null;
    this.#pending.clear();
    this.#line.rewind(this.#finalSlot);
    this.#isRewound = true;
    this.#mustRewind = false;
    this.#bell.ring();
    return { kind: "rewind" };
  }

  /** The store stands at the last final slot again: what is known is read from it before anything else. */
  #isRewound = false;

  // ---- what is heard and read -----------------------------------------------------------------------------

  async #work(): Promise<void> {
    this.#isRewound = true;
    while (!this.#isStopped) {
      const session = new AbortController();
      await this.#bell.until(() => !this.#mustRewind, this.#stopping.signal).catch(() => undefined);
      if (this.#isStopped) return;
      const withSocket = this.#socketEndpoint !== null && Date.now() >= this.#nextSocketMs;
      this.#session = session;
      let waitMs = 0;
      try {
        if (this.#isRewound) await this.#remember();
        await this.#checks.assertSameChain(this.#options.base.watermark, session.signal);
        if (withSocket) await this.#listen(session);
        else if (this.#socketEndpoint === null || this.#socketFailures > 1) await this.#poll(session.signal);
        waitMs = this.#socketEndpoint === null ? this.#pollMs : Math.min(this.#pollMs, this.#socketWaitMs);
      } catch (error) {
        this.#noteFailure(error);
        waitMs = this.#noteSocketFailure(withSocket);
      } finally {
        session.abort();
        this.#session = null;
        this.#bell.ring();
      }
      await sleep(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  get #socketWaitMs(): number {
    return Math.max(0, this.#nextSocketMs - Date.now());
  }

  /** What the store holds is what was told. */
  async #remember(): Promise<void> {
    const { readAccounts, readTreeSlot } = this.#options.base;
    this.#known.clear();
    for await (const account of readAccounts()) this.#known.remember(account);
    this.#trees = await Promise.all(
      this.#plan.trees.map(async (tree) => new TreeWatch(tree, await readTreeSlot(tree))),
    );
    this.#isRewound = false;
  }

  /** Listens, reads everything, then listens on; ends by throwing. */
  async #listen(session: AbortController): Promise<never> {
    const { signal } = session;
    const socket = await RpcSocket.open(this.#socketEndpoint!, this.#stopping.signal);
    const onAbort = (): void => socket.close("given up");
    signal.addEventListener("abort", onAbort);
    void socket.ended.then((reason) => session.abort(new RpcTrouble(reason)));
    try {
      this.#connections += 1;
      this.#line.restart();
      this.#lastHeardMs = Date.now();
      await this.#subscribe(socket, session);
      await this.#bell.until(
        () => this.#line.heard > 0,
        AbortSignal.any([signal, AbortSignal.timeout(silenceMsMax)]),
      );
      const first = Math.max(this.#line.heard, this.#line.told);
      if (!this.#isFilled) await this.#fill(first, signal);
      else this.#line.read(await this.#readEverything(this.#liveReading(first, signal)));
      this.#mode = "listening";
      this.#socketFailures = 0;
      this.#bell.ring();
      for (;;) {
        await this.#waitForCensus(signal);
        await this.#readEverything(this.#liveReading(this.#line.whole, signal));
      }
    } catch (error) {
      throw signal.aborted ? (signal.reason as unknown) : error;
    } finally {
      this.#mode = "connecting";
      signal.removeEventListener("abort", onAbort);
      socket.close("given up");
    }
  }

  async #waitForCensus(signal: AbortSignal): Promise<void> {
    const untilMs = (this.#censusStartedMs ?? 0) + this.#censusMs;
    while (Date.now() < untilMs) {
      await sleep(Math.min(untilMs - Date.now(), rootPollMs), undefined, { signal });
      if (Date.now() - this.#lastHeardMs > silenceMsMax)
        throw new RpcTrouble("the node tells of no slots any more");
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    if (!this.#isFilled) {
      await this.#fill(0, signal);
      return;
    }
    this.#line.restart();
    const slot = await this.#readEverything(this.#liveReading(this.#line.told, signal));
    this.#line.read(slot);
    this.#line.close(slot);
    this.#mode = "polling";
    this.#bell.ring();
  }

  /** The clock comes last: once it is heard, everything else is. */
  async #subscribe(socket: RpcSocket, session: AbortController): Promise<void> {
    const guard =
      (take: (notification: Notification) => void) =>
      (notification: Notification): void => {
        if (session.signal.aborted) return;
        this.#notifications += 1;
        this.#lastMessageMs = Date.now();
        try {
          take(notification);
        } catch (error) {
          session.abort(error);
        }
      };
    const listen = (method: string, params: readonly unknown[], take: (notification: Notification) => void) =>
      socket.subscribe(method, params, guard(take));
    const config = { encoding: "base64", commitment: "confirmed" };
    await listen("rootSubscribe", [], ({ value }) => this.#noteRoot(Number(value)));
    await listen("slotSubscribe", [], ({ value }) => this.#noteNodeSlot((value as { slot?: unknown }).slot));
    await Promise.all(
      this.#plan.scans.map(({ program, filters }) =>
        listen("programSubscribe", [program, { ...config, filters }], ({ slot, value }) => {
          const { pubkey, account } = value as { readonly pubkey?: unknown; readonly account?: unknown };
          this.#hear(parseRow(pubkey, account), slot);
        }),
      ),
    );
    await Promise.all(
      [...this.#plan.singles]
        .filter((address) => address !== clockAddress)
        .map((address) =>
          listen("accountSubscribe", [address, config], ({ slot, value }) => {
            this.#hear(parseRow(address, value), slot);
            this.#wantTree(address, slot!, session.signal);
          }),
        ),
    );
    await listen("accountSubscribe", [clockAddress, config], ({ slot, value }) => {
      this.#hear(parseRow(clockAddress, value), slot);
      this.#lastHeardMs = Date.now();
      this.#line.hear(slot!);
      this.#bell.ring();
    });
  }

  #hear(row: AccountRow, slot: Slot | null): void {
    if (slot === null) throw new RpcTrouble("an account was told without its slot");
    const account = this.#known.take(row, slot);
    if (account !== null) this.#pending.addAccount(account);
  }

  #wantTree(address: string, slot: Slot, signal: AbortSignal): void {
    const watch = this.#trees.find(({ tree }) => tree === address);
    if (watch === undefined || !watch.want(slot)) return;
    void this.#fetchTree(watch, signal);
  }

  async #fetchTree(watch: TreeWatch, signal: AbortSignal): Promise<void> {
    while (watch.isBehind && !signal.aborted) {
      try {
        await watch.catchUp(this.#historyOf(this.#liveReading(0, signal)));
      } catch (error) {
        if (signal.aborted) return;
        this.#problem(this.#understand(error));
        await sleep(reconnectMsFirst, undefined, { signal }).catch(() => undefined);
      }
      this.#bell.ring();
    }
  }

  /** The first filling: final accounts of everything, straight into the store. */
  async #fill(first: Slot, signal: AbortSignal): Promise<void> {
    this.#mode = "filling";
    const say = this.#options.say ?? (() => {});
    if (this.#line.root < first) say(`waiting until slot ${first} is final`);
    await this.#bell.until(() => this.#line.root >= first, signal);
    const slot = await this.#readEverything({
      commitment: "finalized",
      minSlot: Math.max(first, this.#line.told),
      signal,
      tell: (account) => this.#filling.addAccount(account),
      tellTransactions: async (transactions) => {
        for (const transaction of transactions) this.#filling.addTransaction(transaction);
        this.#bell.ring();
        await this.#bell.until(() => this.#filling.size < accountsPerBatchMax, signal);
      },
      say,
    });
    this.#filledAt = slot;
    this.#line.read(slot);
    this.#bell.ring();
    await this.#bell.until(() => this.#isFilled, signal);
    say(`filled as of slot ${slot}`);
  }

  #liveReading(minSlot: Slot, signal: AbortSignal): Reading {
    return {
      commitment: "confirmed",
      minSlot,
      signal,
      tell: (account) => this.#pending.addAccount(account),
      tellTransactions: async (transactions) => {
        for (const transaction of transactions) this.#pending.addTransaction(transaction);
      },
      say: () => {},
    };
  }

  /** One whole round over everything that is followed. @returns highest slot of its answers */
  async #readEverything(reading: Reading): Promise<Slot> {
    const startedMs = Date.now();
    const context: ReadContext = { ...reading, client: this.#client, known: this.#known };
    let highest = reading.minSlot;
    for (const scan of this.#plan.scans) {
      const { slot, count } = await readScan(scan, context);
      highest = Math.max(highest, slot);
      reading.say(`${scan.name}: ${count} accounts at slot ${slot}`);
      this.#bell.ring();
      if (reading.commitment === "finalized")
        await this.#bell.until(() => this.#filling.size === 0, reading.signal);
    }
    highest = Math.max(highest, await readAddresses([...this.#plan.singles], context));
    for (const watch of this.#trees) {
      const count = await watch.catchUp({ ...this.#historyOf(reading), minSlot: highest });
      reading.say(`tree ${watch.tree}: ${count} transactions`);
    }
    this.#known.forgetClosed(highest);
    this.#censusStartedMs = startedMs;
    this.#censusSlot = highest;
    this.#bell.ring();
    return highest;
  }

  #historyOf({ commitment, minSlot, signal, tellTransactions }: Reading) {
    return {
      client: this.#client,
      commitment,
      minSlot,
      signal,
      tell: tellTransactions,
      onProblem: (reason: string) =>
        this.#problem(
          new LamplightError("SOURCE__BAD_MESSAGE", { reason: `holds what cannot be read: ${reason}` }),
        ),
    };
  }

  // ---- slots of the node ----------------------------------------------------------------------------------

  #noteNodeSlot(slot: unknown): void {
    if (typeof slot === "number" && slot > this.#nodeSlot) this.#nodeSlot = slot;
  }

  #noteRoot(slot: Slot): void {
    if (Number.isSafeInteger(slot) && this.#line.noteRoot(slot)) this.#bell.ring();
  }

  /** Roots that nobody told, and how far the node is. */
  async #watchRoots(): Promise<void> {
    const { signal } = this.#stopping;
    while (!this.#isStopped) {
      const ask = async (commitment: string): Promise<number> =>
        Number(await this.#client.call("getSlot", [{ commitment }], { attemptsMax: 1 }));
      try {
        const [root, node] = await Promise.all([ask("finalized"), ask("processed")]);
        this.#noteNodeSlot(node);
        this.#noteRoot(root);
        this.#checkedRoot = null;
        this.#bell.ring();
      } catch {
        // Whoever reads accounts meets the same trouble, and tells it.
      }
      await sleep(Math.min(rootPollMs, this.#pollMs), undefined, { signal }).catch(() => undefined);
    }
  }

  // ---- what goes wrong ------------------------------------------------------------------------------------

  #noteFailure(error: unknown): void {
    if (this.#isStopped || this.#mustRewind) return;
    const problem = this.#understand(error);
    if (!problem.retryable) throw problem;
    this.#problem(problem);
  }

  /** @returns milliseconds until the next attempt */
  #noteSocketFailure(withSocket: boolean): number {
    const { retryMs = reconnectMsFirst } = this.#options;
    if (withSocket) {
      const backoff = Math.min(retryMs * 2 ** this.#socketFailures, reconnectMsMax);
      this.#socketFailures += 1;
      this.#nextSocketMs = Date.now() + backoff * (0.5 + Math.random() / 2);
      return this.#socketFailures > 1 ? 0 : this.#socketWaitMs;
    }
    return retryMs;
  }

  #problem(error: LamplightError): void {
    this.#options.onProblem?.(error);
  }

  #understand(error: unknown): LamplightError {
    if (isLamplightError(error)) return error;
    if (error instanceof RpcForbidden) return this.#refused(error.message, error);
    if (error instanceof RpcRefusal && !lasting.has(error.code)) return this.#lost(error);
    if (error instanceof RpcRefusal) return this.#refused(`${error.message} (${error.code})`, error);
    if (error instanceof RpcTrouble || error instanceof DumpFault) return this.#lost(error);
    if (error instanceof DOMException) return this.#lost(error);
    throw error;
  }

  #refused(reason: string, cause?: unknown): LamplightError<"SOURCE__REFUSED"> {
    return new LamplightError("SOURCE__REFUSED", { url: this.#endpoint.name, reason }, { cause });
  }

  #lost(cause: Error): LamplightError<"SOURCE__LOST"> {
    return new LamplightError("SOURCE__LOST", { url: this.#endpoint.name, reason: cause.message }, { cause });
  }
}

/** What a node will say again tomorrow: our mistake, a method that is off, an account it keeps out of its index. */
const lasting: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32010, -32011, -32015]);

const newest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
