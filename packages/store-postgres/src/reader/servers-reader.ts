import { setTimeout as sleep } from "node:timers/promises";
import type {
  AddressBytes,
  Commitment,
  NewestAnswered,
  Opening,
  ReadView,
  Slot,
  UnfinalizedHead,
  UnfinalizedState,
} from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import type { ServerChoice } from "../engine/location.ts";
import {
  REPLICA_PATIENCE_MS,
  REPLICA_PAUSE_MS,
  RESTORED_AFTER_MS,
  SERVER_POLL_MS,
  VIEW_WAIT_MS,
} from "../engine/settings.ts";
import type { Session } from "../engine/session.ts";
import type { PostgresReader, ServerReader, ServerReport } from "./postgres-reader.ts";
import type { TransactionView } from "./postgres-view.ts";
import { Servers } from "./servers.ts";
import type { WatchedServer } from "./watched-server.ts";

export interface ServersReaderOptions {
  readonly store: string;
  readonly choice: ServerChoice;
  readonly openServer: (server: WatchedServer) => Promise<ServerReader>;
  readonly answered: NewestAnswered;
  /** Called with `HOST:PORT` when another server is read. */
  readonly onServer?: ((server: string) => void) | undefined;
}

/** A state of the store, as far as it orders states. */
interface Position {
  readonly slot: Slot;
  readonly changeSeq: number;
  readonly writer: string;
}

interface Current {
  readonly server: WatchedServer;
  readonly reader: ServerReader;
  /** One for each read under way, called when the server is left. One promise for all would keep what each read found. */
  readonly leaving: Set<(found: null) => void>;
}

/**
 * Reads one of several servers that replicate each other, and another one when that fails, lags, or has the wrong role.
 * No state that it returns is older than one before: a server that has not reached it is waited for, then left.
 */
export class ServersReader implements PostgresReader {
  readonly #options: ServersReaderOptions;
  readonly #servers: Servers;
  readonly #timer: NodeJS.Timeout;
  #current: Current | null = null;
  #choosing: Promise<Current> | null = null;
  #newest: Position | null = null;
  /** Since when no server has what was answered before; null = one has. */
  #behindSinceMs: number | null = null;
  #isClosed = false;

  constructor(options: ServersReaderOptions) {
    this.#options = options;
    this.#servers = new Servers(options.choice);
    this.#timer = setInterval(() => void this.#servers.poll(() => this.#review()), SERVER_POLL_MS).unref();
  }

  /** @throws LamplightError of the STORE family where no server can be read */
  async check(): Promise<void> {
    await this.#servers.poll();
    await this.#choose();
  }

  openView(commitment: Commitment): Promise<TransactionView>;
  openView(commitment: Commitment, opening?: Opening): Promise<ReadView>;
  async openView(commitment: Commitment, opening?: Opening): Promise<ReadView> {
    const view = await this.#atLeastAsNew(
      (reader) => reader.openView(commitment, opening),
      ({ slot, terms }) => ({ slot, changeSeq: terms.changeSeq, writer: terms.history?.writer ?? "" }),
      (older) => older.close(),
    );
    this.#options.answered.noteSlot(view.slot);
    return view;
  }

  readUnfinalizedHead(): Promise<UnfinalizedHead> {
    return this.#atLeastAsNew<UnfinalizedHead>((reader) => reader.readUnfinalizedHead(), positionOf);
  }

  readUnfinalized(known: ReadonlyMap<Slot, number>): Promise<UnfinalizedState> {
    return this.#atLeastAsNew<UnfinalizedState>((reader) => reader.readUnfinalized(known), positionOf);
  }

  readFinalizedData(address: AddressBytes): Promise<Uint8Array | null> {
    return this.#fromCurrent((reader) => reader.readFinalizedData(address));
  }

  async readBesideViews<Result>(body: (session: Session) => Promise<Result>): Promise<Result> {
    const found = await this.#fromCurrent(async (reader) => ({ result: await reader.readBesideViews(body) }));
    if (found === null) throw this.#unreachable(this.#servers.problems());
    return found.result;
  }

  servers(): readonly ServerReport[] {
    return this.#servers.report(this.#current?.server ?? null);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#servers.close();
    this.#current?.reader.close();
  }

  async #atLeastAsNew<Found>(
    read: (reader: ServerReader) => Promise<Found>,
    positionIn: (found: Found) => Position,
    close: (found: Found) => void = () => {},
  ): Promise<Found> {
    let behindMs = 0;
    for (let failures = 0; failures <= this.#options.choice.servers.length;) {
      const startMs = performance.now();
      const current = await this.#choose();
      const found = await this.#readFrom(current, read, close);
      if (found === null) {
        failures += 1;
        continue;
      }
      if (this.#take(positionIn(found))) return found;
      close(found);
      if (behindMs > VIEW_WAIT_MS) break;
      // The first time, another view may just have been faster.
      if (behindMs > 0) await sleep(REPLICA_PAUSE_MS);
      if (behindMs > REPLICA_PATIENCE_MS) await this.#moveToNewer(current);
      behindMs += performance.now() - startMs;
    }
    throw this.#unreachable(`no server has reached slot ${this.#slotNeeded}`);
  }

  /** One attempt, at any state; null where the server failed and was left. */
  async #fromCurrent<Found>(read: (reader: ServerReader) => Promise<Found>): Promise<Found | null> {
    return this.#readFrom(await this.#choose(), read, () => {});
  }

  /** Null where the server failed and was left: another one is tried. */
  async #readFrom<Found>(
    current: Current,
    read: (reader: ServerReader) => Promise<Found>,
    close: (found: Found) => void,
  ): Promise<Found | null> {
    if (this.#current !== current) return null;
    const { promise: left, resolve: leave } = Promise.withResolvers<null>();
    current.leaving.add(leave);
    try {
      const reading = read(current.reader);
      const found = await Promise.race([reading, left]);
      if (found === null) reading.then(close, () => undefined);
      return found;
    } catch (error) {
      if (this.#isClosed) throw error;
      if (this.#current !== current) return null;
      if (!isLamplightError(error, "STORE__UNREACHABLE")) throw error;
      await current.server.poll();
      if (current.server.state !== null) throw error;
      this.#leave(current);
      return null;
    } finally {
      current.leaving.delete(leave);
    }
  }

  /** Whether the state is at least as new as all before. */
  #take(found: Position): boolean {
    const newest = this.#newest;
    const isOlder =
      found.slot < this.#slotNeeded ||
      (newest !== null && found.writer === newest.writer && found.changeSeq < newest.changeSeq);
    if (isOlder) {
      this.#behindSinceMs ??= performance.now();
      return false;
    }
    this.#behindSinceMs = null;
    this.#newest = found;
    return true;
  }

  get #slotNeeded(): Slot {
    return Math.max(this.#newest?.slot ?? 0, this.#options.answered.slot);
  }

  #unreachable(reason: string): LamplightError {
    return new LamplightError("STORE__UNREACHABLE", { store: this.#options.store, reason });
  }

  async #moveToNewer(current: Current): Promise<void> {
    // A server that does not answer is not waited for.
    await Promise.race([this.#servers.poll(), sleep(REPLICA_PATIENCE_MS)]);
    if (this.#current !== current) return;
    const slot = this.#slotNeeded;
    if (this.#servers.hasReached(slot)) {
      if ((current.server.state?.slot ?? 0) < slot) await this.#choose(slot);
    } else if (this.#isRestored()) {
      this.#newest = null;
      this.#behindSinceMs = null;
      this.#options.answered.lowerTo({ slot: this.#servers.newestReadableSlot() });
    }
  }

  /** A primary that stays behind for so long was restored to an earlier time, or lagged when it was promoted. */
  #isRestored(): boolean {
    const since = this.#behindSinceMs;
    return (
      since !== null &&
      performance.now() - since > RESTORED_AFTER_MS &&
      this.#servers.isPrimaryBehind(this.#slotNeeded)
    );
  }

  /** Leaves a server that may not be read any more, and returns to one that is preferred. */
  #review(): void {
    if (this.#isClosed) return;
    const current = this.#current;
    if (current !== null && !this.#servers.isGood(current.server)) this.#leave(current);
    const kept = this.#current;
    if (kept !== null && !this.#servers.shouldReturn(kept.server)) return;
    // A failure is reported to those who read. A standby that has not reached what was answered would be left again.
    this.#choose(kept === null ? undefined : this.#slotNeeded).catch(() => undefined);
  }

  #leave(current: Current): void {
    if (this.#current === current) this.#current = null;
    for (const leave of current.leaving) leave(null);
    if (current.server.isSilent) current.reader.abandon();
    else current.reader.close();
  }

  /** @param moveTo - chooses again, among servers that have reached this slot */
  #choose(moveTo?: Slot): Promise<Current> {
    if (this.#current !== null && moveTo === undefined) return Promise.resolve(this.#current);
    this.#choosing ??= this.#chooseOnce(moveTo ?? 0).finally(() => {
      this.#choosing = null;
    });
    return this.#choosing;
  }

  async #chooseOnce(slot: Slot): Promise<Current> {
    const { openServer, onServer } = this.#options;
    let refusal: unknown = null;
    for (const server of this.#servers.candidates(slot)) {
      if (server === this.#current?.server) return this.#current;
      try {
        const reader = await openServer(server);
        const before = this.#current;
        this.#current = { server, reader, leaving: new Set() };
        if (before !== null) this.#leave(before);
        if (this.#isClosed) reader.close();
        onServer?.(server.name);
        return this.#current;
      } catch (error) {
        refusal ??= error;
      }
    }
    if (this.#current !== null) return this.#current;
    throw refusal ?? this.#unreachable(this.#servers.problems());
  }
}

const positionOf = ({ watermark, changeSeq, writer }: UnfinalizedHead): Position => ({
  slot: watermark?.slot ?? 0,
  changeSeq,
  writer,
});
