import { setTimeout as sleep } from "node:timers/promises";
import type { LamplightError } from "@lamplight/errors";
import type { ConditionVariable } from "./condition-variable.ts";
import type { RpcEndpoint } from "./endpoint.ts";
import {
  FINALIZED_POLL_MS,
  POLL_MS_DEFAULT,
  RECONNECT_MS_FIRST,
  RECONNECT_MS_MAX,
  RESCAN_MS_DEFAULT,
  SILENCE_MS_MAX,
} from "./limits.ts";
import type { ChainChecks } from "./chain-checks.ts";
import type { ConfirmedChain } from "./confirmed-chain.ts";
import type { NodeFaults } from "./node-faults.ts";
import type { RescanReader } from "./rescan-reader.ts";
import { RpcTrouble } from "./rpc-fault.ts";
import type { RpcOptions, RpcState } from "./rpc-options.ts";
import { RpcSocket } from "./rpc-socket.ts";
import { subscribeAll } from "./subscribe-all.ts";

export interface SessionsOptions {
  /** Null = the node is polled. */
  readonly socketEndpoint: RpcEndpoint | null;
  readonly paces: Pick<RpcOptions, "pollMs" | "rescanMs" | "retryMs">;
  readonly reader: RescanReader;
  readonly checks: ChainChecks;
  readonly faults: NodeFaults;
  /** Rings when a session ends, or something that it waits for happens. */
  readonly changed: ConditionVariable;
  readonly signal: AbortSignal;
  /** Checks where the node is and which chain it has. */
  readonly begin: (signal: AbortSignal) => Promise<ConfirmedChain>;
  /** Reads and emits what the store lacks. */
  readonly fill: (signal: AbortSignal) => Promise<void>;
  readonly isFilling: () => boolean;
  /** No session may add data that is being rolled back. */
  readonly isRollingBack: () => boolean;
  /** A session failed; another one follows. */
  readonly onFailure: () => void;
  readonly onProblem: (error: LamplightError) => void;
}

/** Nothing failed: the next session follows other targets. */
class SessionRestart extends Error {}

/** Connects to a node repeatedly: with a WebSocket where possible, otherwise by polling. */
export class NodeSessions {
  readonly #options: SessionsOptions;
  readonly #pollMs: number;
  readonly #rescanMs: number;
  readonly #retryMs: number;
  #session: AbortController | null = null;
  #mode: RpcState["mode"] = "connecting";
  /** Failed sessions in a row. */
  #failures = 0;
  #socketFailures = 0;
  #nextSocketMs = 0;
  #connections = 0;
  #notifications = 0;
  #missedSlots = 0;
  #lastMessageMs: number | null = null;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { pollMs, rescanMs, retryMs } = options.paces;
    this.#pollMs = pollMs ?? POLL_MS_DEFAULT;
    this.#rescanMs = rescanMs ?? RESCAN_MS_DEFAULT;
    this.#retryMs = retryMs ?? RECONNECT_MS_FIRST;
  }

  get state(): Pick<RpcState, "mode" | "connections" | "notifications" | "missedSlots" | "lastMessageMs"> {
    return {
      mode: this.#mode,
      connections: this.#connections,
      notifications: this.#notifications,
      missedSlots: this.#missedSlots,
      lastMessageMs: this.#lastMessageMs,
    };
  }

  /** The running session; null = none. */
  get current(): AbortController | null {
    return this.#session;
  }

  /** Ends the running session. The next one follows at once, as after no failure. */
  restart(): void {
    this.#session?.abort(new SessionRestart());
  }

  /** Milliseconds from one reading of everything to the next. */
  get rescanIntervalMs(): number {
    const paceMs = this.#options.socketEndpoint === null ? this.#pollMs : this.#rescanMs;
    return Math.max(paceMs, FINALIZED_POLL_MS, 2 * this.#options.reader.rescan.tookMs);
  }

  /** Milliseconds until the node is asked for its slots again. */
  get slotPollMs(): number {
    return this.#mode === "listening" ? FINALIZED_POLL_MS : Math.min(FINALIZED_POLL_MS, this.#pollMs);
  }

  /** It ends when the signal aborts. @throws LamplightError that is not retryable */
  async run(): Promise<void> {
    const { changed, signal, isRollingBack } = this.#options;
    while (!signal.aborted) {
      await changed.until(() => !isRollingBack(), signal).catch(() => {});
      if (signal.aborted) return;
      const session = new AbortController();
      const end = (): void => session.abort();
      signal.addEventListener("abort", end);
      this.#session = session;
      const waitMs = await this.#runSession(session).finally(() => {
        session.abort();
        signal.removeEventListener("abort", end);
        this.#session = null;
        changed.ring();
      });
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns milliseconds until the next one */
  async #runSession(session: AbortController): Promise<number> {
    const { socketEndpoint, begin, reader } = this.#options;
    const withSocket = socketEndpoint !== null && performance.now() >= this.#nextSocketMs;
    try {
      const chain = await begin(session.signal);
      if (withSocket) await this.#listen(socketEndpoint, chain, session);
      else if (socketEndpoint === null || this.#socketFailures > 1) await this.#poll(chain, session.signal);
      this.#failures = 0;
      const restMs = Math.max(this.#pollMs, reader.rescan.tookMs);
      return socketEndpoint === null ? restMs : Math.min(restMs, this.#socketWaitMs());
    } catch (error) {
      if (session.signal.reason instanceof SessionRestart) return 0;
      this.#noteFailure(error);
      if (!withSocket) return this.#backoffMs(this.#failures);
      this.#nextSocketMs = performance.now() + this.#backoffMs(this.#socketFailures);
      this.#socketFailures += 1;
      return this.#socketFailures > 1 ? 0 : this.#socketWaitMs();
    }
  }

  /** Subscribes, reads everything, then listens until an error ends it. */
  async #listen(endpoint: RpcEndpoint, chain: ConfirmedChain, session: AbortController): Promise<never> {
    const { signal } = session;
    const { reader, checks, changed, isFilling } = this.#options;
    const { line } = chain;
    const socket = await RpcSocket.open(endpoint, this.#options.signal);
    const onAbort = (): void => socket.close("given up");
    signal.addEventListener("abort", onAbort);
    void socket.ended.then((reason) => session.abort(new RpcTrouble(reason)));
    try {
      this.#connections += 1;
      line.restart();
      const onMessage = (): void => {
        this.#notifications += 1;
        this.#lastMessageMs = performance.now();
      };
      const onMissed = (): void => {
        this.#missedSlots += 1;
      };
      const events = { onMessage, onMissed };
      const listen = await subscribeAll({
        socket,
        chain,
        reader,
        checks,
        changed,
        session,
        isFilling,
        ...events,
      });
      const patience = AbortSignal.any([signal, AbortSignal.timeout(SILENCE_MS_MAX)]);
      await changed.until(() => line.received > 0, patience);
      await this.#fill(signal);
      // Slots reported before, or while the store was filled, are ignored.
      const first = Math.max(line.received, line.emitted);
      line.read(first, await reader.read(chain, first, signal, listen));
      this.#noteWorking("listening");
      for (;;) {
        await this.#waitForRescan(chain, signal);
        // Reset after a complete round only. Otherwise an unstable connection would cause a complete reading each
        // time.
        this.#socketFailures = 0;
        const from = line.readFrom;
        line.read(from, await reader.read(chain, from, signal, listen));
        changed.ring();
      }
    } catch (error) {
      throw signal.aborted ? (signal.reason as unknown) : error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      socket.close("given up");
    }
  }

  async #waitForRescan({ line, plan }: ConfirmedChain, signal: AbortSignal): Promise<void> {
    // The next reading waits for at least twice the time that the last one took.
    const { startedMs, tookMs } = this.#options.reader.rescan;
    for (;;) {
      // A new program is read at once, and what a node did not notify as often as a node without notifications.
      const isMissed = line.hasMissed;
      const urgentMs = isMissed ? Math.min(this.#pollMs, this.#rescanMs) : this.#rescanMs;
      const paceMs = plan.programs.hasUnread ? 0 : urgentMs;
      const leftMs = (startedMs ?? -Infinity) + Math.max(paceMs, 2 * tookMs) - performance.now();
      if (performance.now() - line.receivedMs > SILENCE_MS_MAX)
        throw new RpcTrouble("the node stopped reporting slots");
      if (leftMs <= 0) return;
      await this.#changedWithin(
        Math.min(leftMs, FINALIZED_POLL_MS),
        () => line.hasMissed !== isMissed,
        signal,
      );
    }
  }

  /** Resolves after so many milliseconds, or as soon as a condition is true. @throws the signal's reason */
  async #changedWithin(ms: number, holds: () => boolean, signal: AbortSignal): Promise<void> {
    const pause = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(ms))]);
    await this.#options.changed.until(holds, pause).catch(() => signal.throwIfAborted());
  }

  /** One round of reading everything without a WebSocket. */
  async #poll(chain: ConfirmedChain, signal: AbortSignal): Promise<void> {
    const { line } = chain;
    if (this.#options.isFilling()) return this.#fill(signal);
    line.restart();
    const slot = await this.#options.reader.read(chain, line.emitted, signal);
    line.read(slot, slot);
    line.close(slot);
    this.#noteWorking("polling");
  }

  async #fill(signal: AbortSignal): Promise<void> {
    if (!this.#options.isFilling()) return;
    this.#mode = "filling";
    await this.#options.fill(signal);
  }

  #noteWorking(mode: "listening" | "polling"): void {
    this.#mode = mode;
    this.#options.faults.hasWorked = true;
    this.#failures = 0;
    this.#options.changed.ring();
  }

  /** @throws LamplightError that is not retryable */
  #noteFailure(error: unknown): void {
    const { signal, isRollingBack, onFailure, faults, onProblem } = this.#options;
    if (signal.aborted || isRollingBack()) return;
    this.#mode = "connecting";
    this.#failures += 1;
    onFailure();
    const problem = faults.understand(error);
    if (!problem.retryable) throw problem;
    onProblem(problem);
  }

  #socketWaitMs(): number {
    return Math.max(0, this.#nextSocketMs - performance.now());
  }

  #backoffMs(failures: number): number {
    return Math.min(this.#retryMs * 2 ** failures, RECONNECT_MS_MAX) * (0.5 + Math.random() / 2);
  }
}
