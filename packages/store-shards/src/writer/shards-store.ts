import {
  type AddressBytes,
  type ChangeSet,
  type CommitReceipt,
  type Coverage,
  type DerivationState,
  emptyChangeSet,
  type IndexReader,
  type IndexStore,
  type OffchainStore,
  type Ordinal,
  type UnfinalizedChange,
  type UnfinalizedState,
  type UnfinalizedWriter,
  type Watermark,
} from "@lamplight/core";
import { addressKey, type Delta, layer, type StateReader } from "@lamplight/indexer";
import type { PostgresCoordinator, ShardWriter } from "@lamplight/store-postgres";
import { decodeDelta, encodeBody, newestNumbers, type NumberedDelta } from "../numbered-delta.ts";
import { deltaOf } from "./delta-of.ts";
import { listAccountStates, listAssets, listChangedAssets } from "./listed-rows.ts";
import { numberDelta } from "./number-delta.ts";
import { inOrder, routedReader } from "./routed-reader.ts";
import type { Settler } from "./settler.ts";

/**
 * The writer of a store of several shards. A commit numbers its changes and publishes them; their rows follow. Deltas
 * that are not settled are laid over the rows for every read of the writer.
 */
export class ShardsStore implements IndexStore, UnfinalizedWriter {
  readonly offchain: OffchainStore;
  readonly #coordinator: PostgresCoordinator;
  readonly #shards: readonly ShardWriter[];
  readonly #settler: Settler;
  readonly #rows: readonly IndexReader[];
  readonly #routed: StateReader;
  #turn: Promise<unknown> = Promise.resolve();
  /** Whether the coordinator may have a delta that the answer to this writer was lost of. */
  #mayHaveMore = false;

  constructor(coordinator: PostgresCoordinator, shards: readonly ShardWriter[], settler: Settler) {
    this.#coordinator = coordinator;
    this.#shards = shards;
    this.#settler = settler;
    this.#rows = shards.map(({ reader }) => reader);
    this.#routed = routedReader(this.#rows, (kind, keys) => coordinator.store.readLedger(kind, keys));
    // The rows of assets lie on the shards, so the coordinator does not know which documents are named.
    const { removeOrphans: _, ...offchain } = coordinator.store.offchain!;
    this.offchain = offchain;
  }

  commit(changes: ChangeSet): Promise<CommitReceipt> {
    const turn = this.#turn.then(() => this.#publish(changes));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  takeOverUnfinalized(): Promise<UnfinalizedState> {
    return this.#coordinator.store.takeOverUnfinalized();
  }

  publishUnfinalized(change: UnfinalizedChange): Promise<void> {
    return this.#coordinator.store.publishUnfinalized(change);
  }

  readAccountStates: StateReader["readAccountStates"] = (addresses) =>
    this.#states().readAccountStates(addresses);

  readLinks: StateReader["readLinks"] = (targets, roles, limit) =>
    this.#states().readLinks(targets, roles, limit);

  readLinkPage: StateReader["readLinkPage"] = (target, role, after, limit) =>
    this.#states().readLinkPage(target, role, after, limit);

  readLedger: StateReader["readLedger"] = (kind, keys) => this.#states().readLedger(kind, keys);

  readSeenSlots: StateReader["readSeenSlots"] = (ids) => this.#states().readSeenSlots(ids);

  readAssetPage: IndexReader["readAssetPage"] = (from, limit) =>
    listAssets(this.#rows, this.#settler.path, from, limit);

  readAssetsChangedSince: IndexReader["readAssetsChangedSince"] = (changeSeq, limit) =>
    listChangedAssets(this.#rows, this.#settler.path, changeSeq, limit);

  readAccountPage: IndexReader["readAccountPage"] = (after, limit) =>
    listAccountStates(this.#rows, this.#settler.path, after, limit);

  /** Every shard has the rules of the coordinator: no next set is kept, and a copy notes them there. */
  readDerivation(): Promise<DerivationState> {
    return this.#coordinator.store.readDerivation();
  }

  readWatermark(): Promise<Watermark | null> {
    return this.#coordinator.store.readWatermark();
  }

  readCoverage(): Promise<Coverage> {
    return this.#coordinator.store.readCoverage();
  }

  writeCoverage(coverage: Coverage): Promise<void> {
    return this.#coordinator.store.writeCoverage(coverage);
  }

  readGenesisHash(): Promise<string | null> {
    return this.#coordinator.store.readGenesisHash();
  }

  writeGenesisHash(genesisHash: string): Promise<void> {
    return this.#coordinator.store.writeGenesisHash(genesisHash);
  }

  /** Brings every delta into the rows now. */
  settle(): Promise<void> {
    return this.#settler.drain();
  }

  /** Settles every delta first. */
  async checkIntegrity(): Promise<readonly string[]> {
    await this.settle();
    const found = await Promise.all([
      this.#coordinator.store.checkIntegrity(),
      ...this.#shards.map((shard) => shard.checkIntegrity()),
    ]);
    return found.flat();
  }

  /** Deltas that are not settled stay for the next writer. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#settler.stop();
    await Promise.all(this.#shards.map((shard) => shard.close()));
    await this.#coordinator.close();
  }

  /** The newest state: deltas that are not settled, over the rows. */
  #states(): StateReader {
    return layer(
      this.#routed,
      this.#settler.path.map(({ delta }) => delta),
    );
  }

  async #publish(changes: ChangeSet): Promise<CommitReceipt> {
    await this.#settler.room();
    if (this.#mayHaveMore) await this.#readLost();
    const delta = await deltaOf(changes, this.#states());
    const known = await this.#ordinalsOf(delta);
    let numbers: NumberedDelta["numbers"] = new Map();
    let bytes = 0;
    // The coordinator has the states of trees, and the watermark.
    const own = {
      ...emptyChangeSet,
      watermark: changes.watermark,
      ledger: delta.ledger.filter(({ kind }) => kind === "tree"),
    };
    this.#mayHaveMore = true;
    const stored = await this.#coordinator.publish(own, async (counters) => {
      const numbered = numberDelta(delta, known, counters);
      numbers = numbered.numbers;
      const body = await encodeBody(delta, numbers);
      bytes = body.length;
      return { changeSeq: numbered.changeSeq, nextOrdinal: numbered.nextOrdinal, body };
    });
    this.#mayHaveMore = false;
    this.#settler.add({ ...stored, delta, numbers, bytes });
    return {
      changeSeq: stored.changeSeq,
      ordinals: changes.assets.map(({ id }) => numbers.get(addressKey(id))!.put!.ordinal),
    };
  }

  /** A commit whose answer was lost may be there: the next one is numbered after it. */
  async #readLost(): Promise<void> {
    const { published } = await this.#coordinator.readHead();
    const lost = await this.#coordinator.readDeltas(this.#settler.newest, published);
    for (const stored of lost) this.#settler.add(await decodeDelta(stored));
    this.#mayHaveMore = false;
  }

  /** Ordinals of the assets that a delta changes, as they are before it. */
  async #ordinalsOf({ assetChanges }: Delta): Promise<ReadonlyMap<string, Ordinal | null>> {
    const { path } = this.#settler;
    const known = new Map<string, Ordinal | null>();
    const unknown: AddressBytes[] = [];
    for (const [key, { id }] of assetChanges) {
      const found = newestNumbers(path, key);
      if (found === undefined) unknown.push(id);
      else known.set(key, found.put?.ordinal ?? null);
    }
    const ordinals = await inOrder(unknown, this.#shards.length, (place, ids) =>
      this.#shards[place]!.readOrdinals(ids),
    );
    for (const [index, id] of unknown.entries()) known.set(addressKey(id), ordinals[index] ?? null);
    return known;
  }
}
