import type { Slot } from "@lamplight/core";

/** The needed fields of a manifest. Hashes are 32 bytes. */
export interface SnapshotManifest {
  readonly slot: Slot;
  readonly parentSlot: Slot;
  readonly blockHeight: number;
  /** Computed from the schedule: newer manifests write zero. */
  readonly epoch: number;
  /** The text is as written in the manifest. */
  readonly writtenEpoch: number;
  readonly bankHash: Uint8Array;
  readonly parentBankHash: Uint8Array;
  /** Null in a manifest whose queue names none. */
  readonly lastBlockhash: Uint8Array | null;
  readonly signatureCount: bigint;
  readonly capitalization: bigint;
  /** Unix seconds; distinguishes clusters. */
  readonly genesisCreationTime: bigint;
  /** Fork registrations: slot and count. */
  readonly hardForks: readonly { readonly slot: Slot; readonly count: bigint }[];
  /** Valid bytes by `<slot>.<id>`; empty when the writer lists none. */
  readonly storages: ReadonlyMap<string, number>;
  /** Accounts hash that the bank hash contained before the lattice hash; null when written as zero. */
  readonly accountsDeltaHash: Uint8Array | null;
  /** Merkle root over the accounts; null when written as zero. */
  readonly accountsHash: Uint8Array | null;
  readonly extras: ManifestExtras;
}

/** Fields of later versions; each is null where the manifest ends before it. */
export interface ManifestExtras {
  readonly incrementalPersistence: IncrementalPersistence | null;
  readonly epochAccountsHash: Uint8Array | null;
  /** 2048 bytes. */
  readonly latticeHash: Uint8Array | null;
  readonly blockId: Uint8Array | null;
  /** Bytes after the last known field. */
  readonly unknownBytes: number;
  /** The reason why the rest could not be read; null when it could. The accounts are not affected. */
  readonly fault: string | null;
}

/** An incremental archive of the merkle era records these facts about itself and its base. */
export interface IncrementalPersistence {
  readonly fullSlot: Slot;
  readonly fullHash: Uint8Array;
  readonly fullCapitalization: bigint;
  readonly incrementalHash: Uint8Array;
  readonly incrementalCapitalization: bigint;
}
