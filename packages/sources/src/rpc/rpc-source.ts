import { setTimeout as sleep } from "node:timers/promises";
import type { ConfirmedEvent } from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { DumpFault } from "../dumps/parse-account-dump.ts";
import { ChainChecks } from "./chain-checks.ts";
import { parseEndpoint, type RpcEndpoint } from "./endpoint.ts";
import { ConfirmedEventEmitter } from "./confirmed-event-emitter.ts";
import { RescanReader } from "./rescan-reader.ts";
import { FollowPlan } from "./follow-plan.ts";
import { FollowState } from "./follow-state.ts";
import {
  rescanMsDefault,
  rescanRoundsMissedMax,
  farAsksMore,
  pollMsDefault,
  reconnectMsFirst,
  reconnectMsMax,
  rootPollMs,
  silenceMsMax,
  slotsAheadMax,
  subscriptionsMax,
} from "./limits.ts";
import type { ProgramRegions } from "./program-regions.ts";
import { RpcClient } from "./rpc-client.ts";
import { isLasting, RpcForbidden, RpcRefusal, RpcTrouble } from "./rpc-fault.ts";
import type { RpcOptions, RpcState } from "./rpc-options.ts";
import { RpcSocket } from "./rpc-socket.ts";
import { subscribeAll } from "./subscribe-all.ts";

/**
 * An ordinary RPC node as a line of confirmed slots, for as long as `signal` allows. Listens first, then reads
 * everything, and holds what it was reported against what it read by slot; reads everything again after each lost
 * connection, and every so often besides, since nodes tell nobody of closed accounts. Where there is no WebSocket it
 * reads again and again instead.
 *
 * `events` throws LamplightError `SOURCE__REFUSED` when the node refuses us from the start, is of another chain, or
 * cannot answer what is followed, and `SOURCE__UNREACHABLE` when it never answers a call. A node that answered once and
 * refuses or is silent later is asked again, ever more seldom.
 */
export class RpcSource {
  readonly #options: RpcOptions;
  readonly #endpoint: RpcEndpoint;
  readonly #socketEndpoint: RpcEndpoint | null;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #state: FollowState;
  readonly #reader: RescanReader;
  readonly #emitter: ConfirmedEventEmitter;
  readonly #stopping = new AbortController();
  readonly #pollMs: number;
  readonly #rescanMs: number;
  readonly #retryMs: number;
  #session: AbortController | null = null;
  /** Whether a session came through: what the node says no to from then on may pass. */
  #hasWorked = false;
  /** Sessions in a row that failed. */
  #failures = 0;
  #mode: RpcState["mode"] = "connecting";
  #socketFailures = 0;
  #nextSocketMs = 0;
  #connections = 0;

  /** @throws LamplightError `CLI__USAGE`, `SOURCE__REFUSED` */
  constructor(options: RpcOptions) {
    this.#options = options;
    const { url, socketUrl, base, targets } = options;
    this.#pollMs = options.pollMs ?? pollMsDefault;
    this.#rescanMs = options.rescanMs ?? rescanMsDefault;
    this.#retryMs = options.retryMs ?? reconnectMsFirst;
    this.#endpoint = parseEndpoint(url, ["http:", "https:"]);
    this.#socketEndpoint = socketUrl === null ? null : parseEndpoint(socketUrl, ["ws:", "wss:"]);
    const plan = new FollowPlan(targets);
    if (socketUrl !== null && plan.singles.size + plan.scans.length > subscriptionsMax) {
      throw this.#refused(
        `more than ${subscriptionsMax} subscriptions are too many for one node; without a WebSocket it can be asked for all of them`,
      );
    }
    this.#state = new FollowState(plan, base, this.#endpoint.name);
    const signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    this.#client = new RpcClient(this.#endpoint, signal, options.retryMs);
    this.#checks = new ChainChecks(this.#client, this.#endpoint.name);
    this.#reader = new RescanReader(this.#state, this.#client, {
      say: options.say ?? (() => {}),
      onProgress: options.onProgress ?? (() => {}),
      onProblem: (error) => this.#problem(this.#understand(error)),
      onRefused: (reason, cause) => this.#problem(this.#refused(reason, cause)),
    });
    this.#emitter = new ConfirmedEventEmitter(this.#state, this.#checks, {
      isHeld: options.isHeld ?? (() => false),
      isBusy: () => this.#session !== null,
    });
    this.#state.onRollBack = (reason) => {
      this.#problem(this.#lost(reason));
      this.#session?.abort();
    };
    signal.addEventListener("abort", () => {
      this.#session?.abort();
      this.#state.bell.ring();
    });
  }

  get state(): RpcState {
    const { calls, retries, waiting, lastAnswerMs } = this.#client.state;
    const { line, known, pending, filling, nodeSlot, ...state } = this.#state;
    const paceMs = this.#socketEndpoint === null ? this.#pollMs : this.#rescanMs;
    const intervalMs = Math.max(paceMs, rootPollMs, 2 * state.rescanTookMs);
    return {
      mode: this.#mode,
      nodeSlot: Math.max(nodeSlot, line.heard),
      rootSlot: line.root,
      heardSlot: line.heard,
      reportedSlot: line.reported,
      openSlots: line.openSlots,
      pendingVersions: pending.size + filling.size,
      knownAccounts: known.size,
      connections: this.#connections,
      notifications: state.notifications,
      calls,
      retries,
      waitingCalls: waiting,
      rewinds: state.rewinds,
      checksBlocks: this.#checks.checksBlocks,
      lastMessageMs: later(state.lastMessageMs, lastAnswerMs),
      refusedScans: state.refusedScans.size,
      rescanStartedMs: state.rescanStartedMs,
      rescanSlot: state.rescanSlot,
      rescanAgeMsMax: intervalMs * rescanRoundsMissedMax,
    };
  }

  /** Of programs that are found: what is covered as of a finalized slot. */
  get programs(): Pick<ProgramRegions, "coveredAt" | "revision"> {
    return this.#state.plan.programs;
  }

  async *events(): AsyncGenerator<ConfirmedEvent, void> {
    const { bell } = this.#state;
    let isOver = false;
    const worked = this.#work()
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .finally(() => {
        isOver = true;
        bell.ring();
      });
    const roots = this.#watchRoots();
    try {
      while (!this.#isStopped) {
        const event = await this.#emitter.next();
        if (event !== null) yield event;
        else if (isOver) break;
        else await bell.rest();
      }
    } finally {
      this.#stopping.abort();
      await Promise.all([roots, worked]);
      this.#client.close();
    }
    const failure = await worked;
    if (failure !== null && !this.#options.signal.aborted) throw failure.error;
  }

  get #isStopped(): boolean {
    return this.#options.signal.aborted || this.#stopping.signal.aborted;
  }

  /** One session after the other: with a WebSocket where one can be had, else by asking. */
  async #work(): Promise<void> {
    const { bell } = this.#state;
    while (!this.#isStopped) {
      await bell
        .until(() => !this.#state.mustRewind || this.#isStopped, this.#stopping.signal)
        .catch(() => {});
      if (this.#isStopped) return;
      const session = new AbortController();
      this.#session = session;
      const waitMs = await this.#runSession(session).finally(() => {
        session.abort();
        this.#session = null;
        bell.ring();
      });
      await sleep(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  /** @returns milliseconds until the next one */
  async #runSession(session: AbortController): Promise<number> {
    const { base } = this.#options;
    const withSocket = this.#socketEndpoint !== null && Date.now() >= this.#nextSocketMs;
    try {
      if (this.#state.mustRemember) await this.#state.remember(base, session.signal);
      await this.#checks.assertSameChain(base, session.signal);
      const { horizon, line } = this.#state;
      this.#state.assertWithin(await horizon.find(this.#client, session.signal, line.reported));
      if (withSocket) await this.#listen(session);
      else if (this.#socketEndpoint === null || this.#socketFailures > 1) await this.#poll(session.signal);
      this.#failures = 0;
      const restMs = Math.max(this.#pollMs, this.#state.rescanTookMs);
      return this.#socketEndpoint === null ? restMs : Math.min(restMs, this.#socketWaitMs());
    } catch (error) {
      this.#noteFailure(error);
      if (!withSocket) return this.#backoffMs(this.#failures);
      this.#noteSocketFailure();
      return this.#socketFailures > 1 ? 0 : this.#socketWaitMs();
    }
  }

  /** Listens, reads everything, then listens on; ends by throwing. */
  async #listen(session: AbortController): Promise<never> {
    const { signal } = session;
    const state = this.#state;
    const socket = await RpcSocket.open(this.#socketEndpoint!, this.#stopping.signal);
    const onAbort = (): void => socket.close("given up");
    signal.addEventListener("abort", onAbort);
    void socket.ended.then((reason) => session.abort(new RpcTrouble(reason)));
    try {
      this.#connections += 1;
      state.line.restart();
      state.lastHeardMs = Date.now();
      const listen = await subscribeAll(socket, state, this.#reader, session);
      const patience = AbortSignal.any([signal, AbortSignal.timeout(silenceMsMax)]);
      await state.bell.until(() => state.line.heard > 0, patience);
      if (!state.isFilled) await this.#fill(signal);
      // What was reported before does not count, nor what came while the store was filled.
      const first = Math.max(state.line.heard, state.line.reported);
      state.line.read(await this.#reader.read(first, signal, listen));
      this.#noteWorking("listening");
      state.bell.ring();
      for (;;) {
        await this.#waitForRescan(signal);
        // A connection that is cut ever again would have everything read again each time.
        this.#socketFailures = 0;
        await this.#reader.read(state.line.whole, signal, listen);
      }
    } catch (error) {
      throw signal.aborted ? (signal.reason as unknown) : error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      socket.close("given up");
    }
  }

  async #waitForRescan(signal: AbortSignal): Promise<void> {
    // A node rests at least as long as it worked.
    const { rescanStartedMs, rescanTookMs } = this.#state;
    for (;;) {
      // A program that was just deployed does not wait for the next round.
      const paceMs = this.#state.plan.programs.hasUnread ? 0 : this.#rescanMs;
      const untilMs = (rescanStartedMs ?? 0) + Math.max(paceMs, 2 * rescanTookMs);
      const leftMs = untilMs - Date.now();
      if (Date.now() - this.#state.lastHeardMs > silenceMsMax) {
        throw new RpcTrouble("the node stopped reporting slots");
      }
      if (leftMs <= 0) return;
      await sleep(Math.min(leftMs, rootPollMs), undefined, { signal });
    }
  }

  /** One round of reading everything instead of listening. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { line, isFilled, bell } = this.#state;
    if (!isFilled) {
      await this.#fill(signal);
      return;
    }
    line.restart();
    const slot = await this.#reader.read(line.reported, signal);
    line.read(slot);
    line.close(slot);
    this.#noteWorking("polling");
    bell.ring();
  }

  #fill(signal: AbortSignal): Promise<void> {
    this.#mode = "filling";
    return this.#reader.fill(signal);
  }

  /** Roots that nobody reported, and how far the node is. */
  async #watchRoots(): Promise<void> {
    const { signal } = this.#stopping;
    const ask = (commitment: string): Promise<unknown> =>
      this.#client.call("getSlot", [{ commitment }], { attemptsMax: 1 });
    while (!this.#isStopped) {
      try {
        const [root, node] = await Promise.all([ask("finalized"), ask("processed")]);
        // Until it is known where the node is, one number says nothing.
        if (this.#state.horizon.newest !== null) {
          await this.#assertNotFarBehind(node, () => ask("processed"));
          this.#state.noteNodeSlot(node);
          this.#state.noteRoot(root);
        }
        this.#emitter.retryRoot();
        this.#state.bell.ring();
      } catch {
        // Whoever reads accounts meets the same trouble, and tells it.
      }
      const waitMs = this.#mode === "listening" ? rootPollMs : Math.min(rootPollMs, this.#pollMs);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Where the node was believed to be far ahead of where it is, nothing is reported and no call fails: the session ends. */
  async #assertNotFarBehind(node: unknown, ask: () => Promise<unknown>): Promise<void> {
    const session = this.#session;
    const { newest } = this.#state.horizon;
    let slot = node;
    for (let more = 0; Number(slot) + slotsAheadMax < newest!; more += 1) {
      if (more > farAsksMore) {
        const doubt = `the node is at slot ${Number(slot)}, and was believed to be at ${newest}`;
        session?.abort(new RpcTrouble(doubt));
        return;
      }
      slot = await ask();
    }
  }

  #socketWaitMs(): number {
    return Math.max(0, this.#nextSocketMs - Date.now());
  }

  #noteSocketFailure(): void {
    this.#nextSocketMs = Date.now() + this.#backoffMs(this.#socketFailures);
    this.#socketFailures += 1;
  }

  #backoffMs(failures: number): number {
    return Math.min(this.#retryMs * 2 ** failures, reconnectMsMax) * (0.5 + Math.random() / 2);
  }

  #noteWorking(mode: "listening" | "polling"): void {
    this.#mode = mode;
    this.#hasWorked = true;
    this.#failures = 0;
  }

  /** @throws LamplightError what does not pass */
  #noteFailure(error: unknown): void {
    if (this.#isStopped || this.#state.mustRewind) return;
    this.#mode = "connecting";
    this.#failures += 1;
    // It may be elsewhere by now.
    this.#state.horizon.forget();
    const problem = this.#understand(error);
    if (!problem.retryable) throw problem;
    this.#problem(problem);
  }

  #problem(error: LamplightError): void {
    this.#options.onProblem?.(error);
  }

  #understand(error: unknown): LamplightError {
    if (isLamplightError(error)) return error;
    // One proxy out of order, or a provider's bad hour, must not end what worked.
    if (!this.#hasWorked) {
      if (error instanceof RpcForbidden) return this.#refused(error.message, error);
      if (error instanceof RpcRefusal && isLasting(error.code)) {
        return this.#refused(`${error.message} (${error.code})`, error);
      }
    }
    const isTrouble = troubles.some((kind) => error instanceof kind);
    if (isTrouble && !this.#client.state.hasAnswered && this.#options.callsForever !== true) {
      const context = { url: this.#endpoint.name, reason: (error as Error).message };
      return new LamplightError("SOURCE__UNREACHABLE", context, { cause: error });
    }
    if (isTrouble) return this.#lost((error as Error).message, error);
    throw error;
  }

  #refused(reason: string, cause?: unknown): LamplightError<"SOURCE__REFUSED"> {
    return new LamplightError("SOURCE__REFUSED", { url: this.#endpoint.name, reason }, { cause });
  }

  #lost(reason: string, cause?: unknown): LamplightError<"SOURCE__LOST"> {
    return new LamplightError("SOURCE__LOST", { url: this.#endpoint.name, reason }, { cause });
  }
}

const troubles = [RpcRefusal, RpcForbidden, RpcTrouble, DumpFault, DOMException];

const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
