import type { ChainEvent, FillEvent, Slot } from "@lamplight/core";
import type { LamplightError } from "@lamplight/errors";
import { ChainChecks } from "./chain-checks.ts";
import { ConsensusCheck } from "./consensus-check.ts";
import { ConditionVariable } from "./condition-variable.ts";
import { parseEndpoint, type RpcEndpoint } from "./endpoint.ts";
import { findFarBehind } from "./far-behind.ts";
import { FinalizedSlotWatch } from "./finalized-slot-watch.ts";
import { FinalSlots } from "./final-slots.ts";
import { FollowPlan, type FollowTargets } from "./follow-plan.ts";
import { FILL_BATCH_MAX, FOLLOWED_ACCOUNTS_MAX, SUBSCRIPTIONS_MAX } from "./limits.ts";
import { ConfirmedChain } from "./confirmed-chain.ts";
import { NodeFaults } from "./node-faults.ts";
import { NodeSessions } from "./node-sessions.ts";
import { PendingSlots } from "./pending-slots.ts";
import type { ProgramRegions } from "./program-regions.ts";
import { RescanReader } from "./rescan-reader.ts";
import { RpcClient } from "./rpc-client.ts";
import { RpcTrouble } from "./rpc-fault.ts";
import type { RpcOptions, RpcState } from "./rpc-options.ts";
import { rpcStateOf } from "./rpc-state.ts";
import type { Filling, RpcPhase } from "./rpc-phase.ts";
import { SlotHorizon } from "./slot-horizon.ts";

/** First the filling of an incomplete store, then the chain. */
type RpcEvent = FillEvent | ChainEvent;

/**
 * Follows an RPC node as one line of confirmed slots, until `signal` aborts.
 *
 * It subscribes first, then reads everything, and compares notifications and answers by slot. It reads everything again
 * after each lost connection, and at intervals, because nodes do not report closed accounts. It reads everything again
 * and again where there is no WebSocket.
 *
 * It is a state machine (`rpc-phase.ts`): sessions read from the node, and `events` emits what the phase allows.
 *
 * `events` throws LamplightError `SOURCE__REFUSED` where the node refuses the first calls, is of another chain, or cannot
 * answer what is followed, and `SOURCE__UNREACHABLE` where it never answers. Later failures are tried again, with growing
 * waits.
 */
export class RpcSource {
  readonly #options: RpcOptions;
  readonly #endpoint: RpcEndpoint;
  #plan: FollowPlan;
  #asked: FollowTargets;
  readonly #client: RpcClient;
  readonly #checks: ChainChecks;
  readonly #consensus: ConsensusCheck;
  readonly #horizon: SlotHorizon;
  readonly #changed = new ConditionVariable();
  readonly #reader: RescanReader;
  readonly #sessions: NodeSessions;
  readonly #faults: NodeFaults;
  readonly #watch: FinalizedSlotWatch;
  readonly #stopping = new AbortController();
  #phase: RpcPhase;
  #rollbacks = 0;

  /** @throws LamplightError `CLI__USAGE`, `SOURCE__REFUSED` */
  constructor(options: RpcOptions) {
    this.#options = options;
    this.#horizon = new SlotHorizon(options.rate);
    const { url, socketUrl, base, targets } = options;
    this.#endpoint = parseEndpoint(url, ["http:", "https:"]);
    const socketEndpoint = socketUrl === null ? null : parseEndpoint(socketUrl, ["ws:", "wss:"]);
    this.#faults = new NodeFaults({
      url: this.#endpoint.name,
      hasAnswered: () => this.#client.state.hasAnswered,
      callsForever: options.callsForever === true,
    });
    this.#asked = targets;
    this.#plan = new FollowPlan(targets);
    this.#assertSubscriptions(0);
    const isFilled = base.watermark !== null && base.lacking === null;
    this.#phase = {
      kind: "connecting",
      slot: base.watermark?.slot ?? 0,
      next: isFilled ? "following" : "filling",
    };
    const signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    signal.addEventListener("abort", () => this.#changed.ring());
    this.#client = new RpcClient(this.#endpoint, signal, options.retryMs);
    this.#checks = new ChainChecks(this.#client, this.#endpoint.name);
    this.#consensus = new ConsensusCheck(this.#client, signal);
    const onProblem = (error: LamplightError): void => options.onProblem?.(error);
    this.#reader = new RescanReader(this.#client, this.#horizon, this.#changed, {
      say: options.say ?? (() => {}),
      onProgress: options.onProgress ?? (() => {}),
      onProblem: (error) => onProblem(this.#faults.understand(error)),
      onRefused: (reason, cause) => onProblem(this.#faults.refused(reason, cause)),
    });
    this.#sessions = new NodeSessions({
      socketEndpoint,
      paces: options,
      reader: this.#reader,
      checks: this.#checks,
      faults: this.#faults,
      changed: this.#changed,
      signal,
      begin: (session) => this.#begin(session),
      fill: (session) => this.#fill(session),
      isFilling: () => this.#phase.kind === "filling",
      isRollingBack: () => this.#phase.kind === "rollingBack",
      // The node may be at another slot when it answers again.
      onFailure: () => this.#horizon.forget(),
      onProblem,
    });
    this.#watch = new FinalizedSlotWatch(this.#horizon, this.#client, {
      signal,
      paceMs: () => this.#sessions.slotPollMs,
      onAnswer: () => {
        this.#consensus.refresh();
        if ("final" in this.#phase) this.#phase.final.retry();
        this.#changed.ring();
      },
      session: () => this.#sessions.current,
    });
  }

  get state(): RpcState {
    const [phase, client, checks, consensus] = [this.#phase, this.#client, this.#checks, this.#consensus];
    const [horizon, reader, sessions, rollbacks] = [
      this.#horizon,
      this.#reader,
      this.#sessions,
      this.#rollbacks,
    ];
    return rpcStateOf({ phase, client, checks, consensus, horizon, reader, sessions, rollbacks });
  }

  /** If programs are found: the coverage as of a finalized slot. */
  get programs(): Pick<ProgramRegions, "coveredAt" | "revision"> {
    return this.#plan.programs;
  }

  /** These are followed since the last rollback that was emitted. */
  get asked(): FollowTargets {
    return this.#asked;
  }

  /**
   * Follows other targets. What is emitted is rolled back to the finalized slot, and the store is read again: no slot above
   * it has an update of a target that is gone, and the first one has every change of a target that came.
   */
  subscribe(targets: FollowTargets): void {
    this.#plan = new FollowPlan(targets);
    this.#startAgain(() => this.#sessions.restart());
  }

  /** @throws LamplightError `SOURCE__REFUSED` where one more program with so many accounts is too much to follow */
  assertRoom(accounts: number): void {
    this.#assertSubscriptions(1);
    const known = this.state.knownAccounts;
    if (known + accounts <= FOLLOWED_ACCOUNTS_MAX) return;
    throw this.#faults.refused(`${known} accounts are followed, and ${accounts} more are too many`);
  }

  async *events(): AsyncGenerator<RpcEvent, void> {
    const { signal } = this.#options;
    let isOver = false;
    const worked = this.#sessions
      .run()
      .then(
        () => null,
        (error: unknown) => ({ error }),
      )
      .finally(() => {
        isOver = true;
        this.#changed.ring();
      });
    const watched = this.#watch.run();
    try {
      while (!signal.aborted) {
        const events = this.#next();
        yield* events;
        if (events.length > 0) continue;
        if (isOver) break;
        await this.#changed.rest();
      }
    } finally {
      this.#stopping.abort();
      await Promise.all([watched, worked]);
      this.#client.close();
    }
    const failure = await worked;
    if (failure !== null && !signal.aborted) throw failure.error;
  }

  /** The next events for the reader; empty if there are none yet. */
  #next(): readonly RpcEvent[] {
    const phase = this.#phase;
    switch (phase.kind) {
      case "connecting":
        return [];
      case "filling": {
        if (phase.filling.size === 0) return [];
        this.#changed.ring();
        return [{ kind: "fill", ...phase.filling.takeSome(FILL_BATCH_MAX) }];
      }
      case "filled": {
        const { watermark } = this.#options.base;
        // Earlier rows of the store are of its watermark. The next finalized slot makes all rows consistent.
        if (watermark !== null) return this.#follow(phase.chain, { kind: "filled", watermark });
        const first = phase.chain.next();
        if (first === null) return [];
        this.#phase = { ...phase, kind: "settling", first, final: this.#finalOf(phase.chain) };
        return this.#next();
      }
      case "settling": {
        const watermark = phase.final.take();
        if (watermark === null) return [];
        const { accounts, transactions } = phase.first;
        const fill: RpcEvent = { kind: "fill", accounts, transactions };
        return this.#follow(phase.chain, fill, { kind: "filled", watermark });
      }
      case "following": {
        const final = phase.final.take();
        if (final !== null) return [{ kind: "slot", ...final, parent: null, status: "finalized" }];
        const confirmed = this.#options.isHeld?.() === true ? null : phase.chain.next();
        return confirmed === null ? [] : [{ kind: "confirmed", ...confirmed }];
      }
      case "rollingBack": {
        // A running session must not add data that is read again.
        if (this.#sessions.current !== null) return [];
        this.#phase = { ...phase, kind: "connecting" };
        this.#asked = this.#plan.targets;
        this.#changed.ring();
        // Before the store was filled, nothing was emitted that could be rolled back.
        return phase.next === "following" ? [{ kind: "rollback" }] : [];
      }
      default:
        return phase satisfies never;
    }
  }

  #follow(chain: ConfirmedChain, ...events: readonly RpcEvent[]): readonly RpcEvent[] {
    this.#phase = { kind: "following", chain, final: this.#finalOf(chain) };
    return events;
  }

  #finalOf({ line }: ConfirmedChain): FinalSlots {
    const final: FinalSlots = new FinalSlots({
      line,
      checks: this.#checks,
      finalizedSlot: () => this.#horizon.finalized,
      onDropped: (slot) => {
        // After a rollback, the answer is about slots that were dropped.
        if ("final" in this.#phase && this.#phase.final === final)
          this.#rollBack(`slot ${slot} was confirmed and did not become final`);
      },
      onFound: () => this.#changed.ring(),
    });
    return final;
  }

  /** Starts a session. @throws LamplightError `SOURCE__REFUSED`; RpcTrouble; what a call throws */
  async #begin(signal: AbortSignal): Promise<ConfirmedChain> {
    const { base } = this.#options;
    const chain = await this.#openChain(signal);
    await this.#checks.assertSameChain(base, signal);
    this.#assertNear(chain, await this.#horizon.find(this.#client, signal, chain.line.emitted));
    return chain;
  }

  async #openChain(signal: AbortSignal): Promise<ConfirmedChain> {
    const phase = this.#phase;
    if ("chain" in phase) return phase.chain;
    const { slot, next } = phase;
    const chain = new ConfirmedChain({
      plan: this.#plan,
      url: this.#endpoint.name,
      slot,
      onFull: (reason) => this.#rollBack(reason),
    });
    await chain.readStore(this.#options.base, next !== "filling", signal);
    signal.throwIfAborted();
    if (next === "following") this.#follow(chain);
    else if (next === "filled") this.#phase = { kind: "filled", chain };
    else this.#phase = { kind: "filling", chain, filling: new PendingSlots() };
    return chain;
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const phase = this.#phase;
    if (phase.kind !== "filling") return;
    const { watermark } = this.#options.base;
    const slot = await this.#reader.fill(phase.chain, this.#fillingOf(phase), signal);
    phase.chain.line.startAt(watermark?.slot ?? slot);
    this.#phase = { kind: "filled", chain: phase.chain };
    this.#changed.ring();
  }

  /** The parts that a filling reads, and those that it skips because the store has them. */
  #fillingOf({ filling }: Filling): Parameters<RescanReader["fill"]>[1] {
    const { watermark, lacking } = this.#options.base;
    return watermark !== null && lacking !== null
      ? { filling, plan: new FollowPlan(lacking), held: this.#plan.without(lacking) }
      : { filling, plan: this.#plan, held: null };
  }

  /** @throws RpcTrouble when the node's newest slot is far behind the slot to continue from */
  #assertNear({ line }: ConfirmedChain, newest: Slot): void {
    // While the store is filled, nothing was emitted that a far slot could have spoiled.
    const highest = this.#phase.kind === "filling" ? 0 : this.#horizon.highest;
    const { slotsAheadMax } = this.#horizon;
    const behind = findFarBehind(line, newest, highest, slotsAheadMax);
    if (behind === null) return;
    if (highest > newest + slotsAheadMax) this.#horizon.giveUp();
    if (behind.mustRollBack) this.#rollBack(behind.reason);
    throw new RpcTrouble(behind.reason);
  }

  #assertSubscriptions(more: number): void {
    const count = this.#plan.singles.size + this.#plan.scans.length + more;
    if (this.#options.socketUrl === null || count <= SUBSCRIPTIONS_MAX) return;
    throw this.#faults.refused(
      `more than ${SUBSCRIPTIONS_MAX} subscriptions are too many for one node; without a WebSocket it can be asked for all of them`,
    );
  }

  #rollBack(reason: string): void {
    const { kind } = this.#phase;
    if (kind !== "filled" && kind !== "settling" && kind !== "following") return;
    this.#rollbacks += 1;
    this.#options.onProblem?.(this.#faults.lost(reason));
    this.#startAgain(() => this.#sessions.current?.abort());
  }

  /** Drops emitted slots that are not finalized, and waiting changes. */
  #startAgain(endSession: () => void): void {
    const phase = this.#phase;
    const kind = phase.kind === "connecting" ? phase.next : phase.kind;
    if (kind === "rollingBack" || kind === "filling") return;
    const slot = "chain" in phase ? phase.chain.line.finalized : phase.slot;
    const next = kind === "following" ? "following" : "filled";
    this.#phase = { kind: "rollingBack", slot, next };
    endSession();
    this.#changed.ring();
  }
}
