import type { Slot } from "@lamplight/core";
import { orderOf, suits } from "../engine/choose-server.ts";
import type { ServerChoice, ServerTarget } from "../engine/location.ts";
import { REPLICA_LAG_SLOTS_MAX, REPLICA_RETURN_MS, REPLICA_RETURN_SLOTS } from "../engine/settings.ts";
import type { ServerReport } from "./postgres-reader.ts";
import { WatchedServer } from "./watched-server.ts";

/** The servers of a store, and which of them may be read. */
export class Servers {
  readonly #all: readonly WatchedServer[];
  readonly #target: ServerTarget;
  /** Since when a server is close to the newest. */
  readonly #closeSinceMs = new Map<WatchedServer, number>();

  constructor(choice: ServerChoice) {
    this.#target = choice.target;
    this.#all = orderOf(choice).map((location) => new WatchedServer(location));
  }

  /** Polls all; `onPolled` is called after each of them. */
  async poll(onPolled: () => void = () => {}): Promise<void> {
    await Promise.all(
      this.#all.map(async (server) => {
        await server.poll();
        this.#noteClose(server);
        onPolled();
      }),
    );
  }

  /** Those that may be read and have reached a slot, the preferred ones first. */
  candidates(slot: Slot): readonly WatchedServer[] {
    const good = this.#all.filter((server) => this.isGood(server) && (server.state?.slot ?? 0) >= slot);
    if (this.#target !== "prefer-standby") return good;
    return [...good.filter(isStandby), ...good.filter((server) => !isStandby(server))];
  }

  isGood(server: WatchedServer): boolean {
    return stateOf(server, this.#target, this.newestReadableSlot()) === "ready";
  }

  /** Whether a standby is preferred to a server that is no standby, and has been close to the newest for a while. */
  shouldReturn(from: WatchedServer): boolean {
    if (this.#target !== "prefer-standby" || isStandby(from)) return false;
    const longBefore = performance.now() - REPLICA_RETURN_MS;
    return this.#all.some(
      (server) =>
        isStandby(server) && this.isGood(server) && (this.#closeSinceMs.get(server) ?? Infinity) < longBefore,
    );
  }

  /** Whether a server that may be read has reached a slot. */
  hasReached(slot: Slot): boolean {
    return this.candidates(slot).length > 0;
  }

  /**
   * Whether a primary is reached, and no server at all has reached a slot. Whether the role may write does not count:
   * roles of readers may not, also on the primary.
   */
  isPrimaryBehind(slot: Slot): boolean {
    if (this.#newestSlot() >= slot) return false;
    return this.#all.some(({ state }) => state?.isStandby === false);
  }

  report(current: WatchedServer | null): readonly ServerReport[] {
    const newest = this.newestReadableSlot();
    return this.#all.map((server) => {
      const state = stateOf(server, this.#target, newest);
      return {
        server: server.name,
        role: server.state === null ? null : server.state.isStandby ? "standby" : "primary",
        slot: server.state?.slot ?? null,
        state: server === current && state === "ready" ? "read" : state,
      };
    });
  }

  /** What is wrong with each server. */
  problems(): string {
    return this.report(null)
      .map(({ server, state }, at) =>
        state === "unreachable" ? `${server}: ${this.#all[at]!.problem}` : `${server} is ${state}`,
      )
      .join("; ");
  }

  close(): void {
    for (const server of this.#all) server.close();
  }

  #noteClose(server: WatchedServer): void {
    const isClose = (server.state?.slot ?? -1) >= this.#newestSlot() - REPLICA_RETURN_SLOTS;
    if (!isClose) this.#closeSinceMs.delete(server);
    else if (!this.#closeSinceMs.has(server)) this.#closeSinceMs.set(server, performance.now());
  }

  #newestSlot(): Slot {
    return newestOf(this.#all);
  }

  /** Of the servers that the target allows: where all of them lag behind the others, they are all that can be read. */
  newestReadableSlot(): Slot {
    return newestOf(this.#all.filter(({ state }) => state !== null && suits(this.#target, state)));
  }
}

const newestOf = (servers: readonly WatchedServer[]): Slot =>
  Math.max(0, ...servers.map(({ state }) => state?.slot ?? 0));

const isStandby = ({ state }: WatchedServer): boolean => state?.isStandby === true;

const stateOf = (
  { state }: WatchedServer,
  target: ServerTarget,
  newestSlot: Slot,
): Exclude<ServerReport["state"], "read"> => {
  if (state === null) return "unreachable";
  if (!suits(target, state)) return "other role";
  return (state.slot ?? 0) < newestSlot - REPLICA_LAG_SLOTS_MAX ? "behind" : "ready";
};
