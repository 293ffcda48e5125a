import {
  type Commitment,
  NeedsSnapshot,
  type Opening,
  type ReadView,
  type UnfinalizedReader,
  type ViewSource,
} from "@lamplight/core";
import { isLamplightError, LamplightError } from "@lamplight/errors";
import { newestWrite } from "@lamplight/indexer";
import {
  assertStoreOfShards,
  type DeltaHead,
  type ExpectedRows,
  openPostgresReader,
  type PostgresReader,
  type TransactionView,
  readStarted,
  readDeltaHead,
  readUnfinalizedHead,
  type ServerReport,
  ShardSession,
} from "@lamplight/store-postgres";
import { FIRST_READ_ATTEMPTS } from "../limits.ts";
import { shardOf } from "../shard-of.ts";
import { parseShardsUrl } from "../location.ts";
import type { NumberedPath } from "../numbered-delta.ts";
import { DeltaCache } from "./delta-cache.ts";
import { LastLook } from "./last-look.ts";
import { MixedBase } from "./mixed-base.ts";
import { ShardStates } from "./shard-states.ts";
import { HeldShardViews, type ShardViews } from "./shard-views.ts";
import { ShardsState } from "./shards-state.ts";
import { ShardsView } from "./shards-view.ts";
import { touchedBy } from "./touched.ts";

export interface ShardsReaderOptions {
  /** `shards://USER:PASSWORD@HOST:PORT/DATABASE?shard=URL&shard=URL`. */
  readonly url: string;
  /** Views that can be open at once: each holds a session of the coordinator, and of each shard that it reads. */
  readonly sessionsMax?: number;
  /** Sessions of each database that are kept while no view uses them. */
  readonly idleMax?: number;
  /** The longest statement of a view; 0 = as long as it takes. */
  readonly statementTimeoutMs?: number;
}

export interface ShardsReader extends ViewSource, UnfinalizedReader {
  openView(commitment: Commitment, opening?: Opening): Promise<ReadView>;
  /** Whether each shard answered when it was last read. */
  servers(): readonly ServerReport[];
  /** Closes idle sessions now, and the others with their views. */
  close(): void;
}

/** A reader opens its views from these. */
export interface ShardsReaderParts {
  readonly coordinator: PostgresReader;
  readonly shards: readonly PostgresReader[];
  readonly look: LastLook;
  /** The deltas at which the rows of a shard may end, for a view of the newest published delta. */
  readonly expectedRows: (head: DeltaHead) => ExpectedRows;
  readonly openShards: (shards: readonly PostgresReader[]) => ShardViews;
  /** Closes idle sessions of the databases. */
  readonly close: () => void;
  /** Called when no view needs a look any more. */
  readonly endLooks: () => void;
}

/**
 * Opens a store of several shards for reading, while any process may be writing it. A view is of the newest published
 * slot, and needs no common snapshot of the shards.
 *
 * @throws LamplightError of a store in PostgreSQL, for any of the databases; `STORE__OTHER_SHARD`
 */
export const openShardsReader = (options: ShardsReaderOptions): Promise<ShardsReader> =>
  openShardsReaderWith(options, (parts) => parts);

/** @param change - replaces parts, for tests that delay reads or leave the last look out */
export const openShardsReaderWith = async (
  { url, ...options }: ShardsReaderOptions,
  change: (parts: ShardsReaderParts) => ShardsReaderParts,
): Promise<ShardsReader> => {
  const location = parseShardsUrl(url);
  const opened: PostgresReader[] = [];
  const close = (): void => {
    for (const reader of opened) reader.close();
  };
  try {
    const opening = await Promise.allSettled([
      openPostgresReader({ url: location.coordinator, ...options }),
      ...location.shards.map((shard) => openPostgresReader({ url: shard, isShard: true, ...options })),
    ]);
    for (const one of opening) if (one.status === "fulfilled") opened.push(one.value);
    for (const one of opening) if (one.status === "rejected") throw one.reason;
    await assertStoreOfShards(location.coordinator, location.shards);
    const [coordinator, ...shards] = opened as [PostgresReader, ...PostgresReader[]];
    const looks = openLooks(location.coordinator);
    return new OpenedShardsReader(
      change({
        coordinator,
        shards,
        look: new LastLook(() => looks.use(readStarted)),
        expectedRows: ({ settled, published }) => ({ settled, through: published }),
        openShards: (readers) => new HeldShardViews(readers),
        close,
        endLooks: () => void looks.close(),
      }),
      location.shards,
    );
  } catch (error) {
    close();
    throw error;
  }
};

/** Only the primary's `started` counts: a copy that lags would break the proof. */
const openLooks = (coordinator: string): ShardSession => ShardSession.forReading(coordinator);

/** Reads that a view recognizes when the overlay passes them on. */
const firstKinds: ReadonlySet<string> = new Set(["account", "accountWithMint", "asset", "delegated"]);

class OpenedShardsReader implements ShardsReader {
  readonly #parts: ShardsReaderParts;
  readonly #deltas = new DeltaCache();
  readonly #views = new Set<ShardsView>();
  readonly #states: ShardStates;
  #isClosed = false;

  constructor(parts: ShardsReaderParts, shards: readonly string[]) {
    this.#parts = parts;
    this.#states = new ShardStates(shards);
  }

  async openView(_commitment: Commitment, opening?: Opening): Promise<ReadView> {
    if (opening === undefined) return this.#open(false);
    const first = opening.reads.every(({ kind }) => firstKinds.has(kind)) ? opening.reads : [];
    for (let attempt = 1; ; attempt += 1) {
      const view = await this.#open(true);
      opening.stop = () => view.cancel();
      try {
        if (first.length > 0) await view.readFirst(first);
        return view;
      } catch (error) {
        view.close();
        if (!(error instanceof NeedsSnapshot)) throw error;
        // The slot of the caller's answer is not known yet, so the next attempt may have a newer one.
        if (attempt === FIRST_READ_ATTEMPTS)
          throw new LamplightError("STORE__BASE_MOVED", { slot: view.slot });
      } finally {
        opening.stop = null;
      }
    }
  }

  readUnfinalizedHead: UnfinalizedReader["readUnfinalizedHead"] = () =>
    this.#parts.coordinator.readUnfinalizedHead();

  readUnfinalized: UnfinalizedReader["readUnfinalized"] = (known) =>
    this.#parts.coordinator.readUnfinalized(known);

  /** The rows of a shard are behind the published deltas. */
  readFinalizedData: UnfinalizedReader["readFinalizedData"] = async (address) => {
    const { coordinator, shards } = this.#parts;
    const path = await coordinator.readBesideViews(async (session) => {
      const [head, { writer }] = await Promise.all([readDeltaHead(session), readUnfinalizedHead(session)]);
      return this.#deltas.pathOf(head, writer, session);
    });
    const deltas = path.map(({ delta }) => delta);
    const written = newestWrite(deltas, address);
    if (written !== undefined) return written.state.current.data;
    const shard = shards[shardOf(address, shards.length)]!;
    try {
      return await shard.readFinalizedData(address);
    } catch (error) {
      // Other slots are read while a shard is away.
      if (isLamplightError(error, "STORE__UNREACHABLE")) return null;
      throw error;
    }
  };

  servers(): readonly ServerReport[] {
    return this.#states.report();
  }

  close(): void {
    this.#isClosed = true;
    this.#parts.close();
    this.#endLooks();
  }

  /** Views that are open go on, and need the last look. */
  #endLooks(): void {
    if (this.#isClosed && this.#views.size === 0) this.#parts.endLooks();
  }

  /** The one place that makes a view: it has the path from the rows to its slot. */
  async #open(mayRestart: boolean): Promise<ShardsView> {
    const { coordinator, shards, look, openShards } = this.#parts;
    const own = await coordinator.openView("finalized");
    try {
      const { head, path } = await this.#readPath(own);
      const touched = touchedBy(path);
      const expected = { storeId: own.terms.storeId, ...this.#parts.expectedRows(head) };
      const base = new MixedBase(openShards(shards), touched, expected, this.#states);
      const state = new ShardsState(own, path, touched, base);
      const view: ShardsView = new ShardsView({
        state,
        number: head.published,
        look,
        mayRestart,
        onClose: () => {
          this.#views.delete(view);
          this.#endLooks();
        },
      });
      this.#views.add(view);
      return view;
    } catch (error) {
      own.close();
      throw error;
    }
  }

  /** Within the snapshot of the coordinator's view: its slot is that of the newest published delta. */
  #readPath(own: TransactionView): Promise<{ readonly head: DeltaHead; readonly path: NumberedPath }> {
    return own.use(async (session) => {
      const head = await readDeltaHead(session);
      return { head, path: await this.#deltas.pathOf(head, own.terms.history!.writer, session) };
    });
  }
}
