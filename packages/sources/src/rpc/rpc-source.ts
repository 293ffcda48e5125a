import { setTimeout as sleep } from "node:timers/promises";
import type { LamplightError } from "@lamplight/errors";
import { ChainChecks } from "./chain-checks.ts";
import { parseEndpoint, type RpcEndpoint } from "./endpoint.ts";
import { type RpcEvent, RpcEventEmitter } from "./rpc-event-emitter.ts";
import { RescanReader } from "./rescan-reader.ts";
import { FollowPlan } from "./follow-plan.ts";
import { FollowState } from "./follow-state.ts";
import {
  rescanMsDefault,
  rescanRoundsMissedMax,
  pollMsDefault,
  reconnectMsFirst,
  reconnectMsMax,
  rootPollMs,
  silenceMsMax,
  subscriptionsMax,
} from "./limits.ts";
import { NodeFaults } from "./node-faults.ts";
import type { ProgramRegions } from "./program-regions.ts";
import { FinalizedSlotWatch } from "./finalized-slot-watch.ts";
import { RpcClient } from "./rpc-client.ts";
import { RpcTrouble } from "./rpc-fault.ts";
import type { RpcOptions, RpcState } from "./rpc-options.ts";
import { RpcSocket } from "./rpc-socket.ts";
import { subscribeAll } from "./subscribe-all.ts";

/**
 * Follows an RPC node as one line of confirmed slots, until `signal` aborts.
 *
 * It subscribes first, then reads everything, and compares notifications and answers by slot. It reads everything again
 * after each lost connection, and at intervals, because nodes do not report closed accounts. Without a WebSocket it
 * reads everything again and again.
 *
 * `events` throws LamplightError `SOURCE__REFUSED` where the node refuses the first calls, is of another chain, or cannot
 * answer what is followed, and `SOURCE__UNREACHABLE` where it never answers. Later failures are tried again, with growing
 * waits.
 */
export class RpcSource {
  readonly #options: RpcOptions;
  readonly #endpoint: RpcEndpoint;
  readonly #socketEndpoint: RpcEndpoint | null;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #state: FollowState;
  readonly #reader: RescanReader;
  readonly #emitter: RpcEventEmitter;
  readonly #faults: NodeFaults;
  readonly #roots: FinalizedSlotWatch;
  readonly #stopping = new AbortController();
  readonly #pollMs: number;
  readonly #rescanMs: number;
  readonly #retryMs: number;
  #session: AbortController | null = null;
  /** Failed sessions in a row. */
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
    this.#faults = new NodeFaults({
      url: this.#endpoint.name,
      hasAnswered: () => this.#client.state.hasAnswered,
      callsForever: options.callsForever === true,
    });
    const plan = new FollowPlan(targets);
    if (socketUrl !== null && plan.singles.size + plan.scans.length > subscriptionsMax) {
      throw this.#faults.refused(
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
      onProblem: (error) => this.#problem(this.#faults.understand(error)),
      onRefused: (reason, cause) => this.#problem(this.#faults.refused(reason, cause)),
    });
    this.#emitter = new RpcEventEmitter(this.#state, this.#checks, {
      isHeld: options.isHeld ?? (() => false),
      isBusy: () => this.#session !== null,
    });
    this.#roots = new FinalizedSlotWatch(this.#state, this.#client, {
      signal,
      paceMs: () => (this.#mode === "listening" ? rootPollMs : Math.min(rootPollMs, this.#pollMs)),
      onAnswer: () => this.#emitter.retryRoot(),
      session: () => this.#session,
    });
    this.#state.onRollBack = (reason) => {
      this.#problem(this.#faults.lost(reason));
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
      rollbacks: state.rollbacks,
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

  async *events(): AsyncGenerator<RpcEvent, void> {
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
    const roots = this.#roots.run();
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

  /** One session after the other: with a WebSocket where possible, else by polling. */
  async #work(): Promise<void> {
    const { bell } = this.#state;
    while (!this.#isStopped) {
      await bell
        .until(() => !this.#state.mustRollBack || this.#isStopped, this.#stopping.signal)
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

  /** Subscribes, reads everything, then listens until it throws. */
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
      // Slots reported before, or while the store was filled, do not count.
      const first = Math.max(state.line.heard, state.line.reported);
      state.line.read(await this.#reader.read(first, signal, listen));
      this.#noteWorking("listening");
      state.bell.ring();
      for (;;) {
        await this.#waitForRescan(signal);
        // Reset only after a complete round: a connection that is cut often would have everything read each time.
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
    // The node rests for at least twice the time that the last reading took.
    const { rescanStartedMs, rescanTookMs } = this.#state;
    for (;;) {
      // A new program is read at once.
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
    this.#faults.hasWorked = true;
    this.#failures = 0;
  }

  /** @throws LamplightError that is not retryable */
  #noteFailure(error: unknown): void {
    if (this.#isStopped || this.#state.mustRollBack) return;
    this.#mode = "connecting";
    this.#failures += 1;
    // The node may be at another slot when it is back.
    this.#state.horizon.forget();
    const problem = this.#faults.understand(error);
    if (!problem.retryable) throw problem;
    this.#problem(problem);
  }

  #problem(error: LamplightError): void {
    this.#options.onProblem?.(error);
  }
}

const later = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
