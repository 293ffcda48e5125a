import { type ChangeSet, type CommitReceipt, DERIVATION, type DerivationState } from "@lamplight/core";
import type { createIndexer } from "@lamplight/indexer";

type StateStore = Parameters<typeof createIndexer>[0];

/** Holds nothing and keeps nothing, so that what is measured is the indexer alone; counts what it is given. */
export class ForgetfulStore implements StateStore {
  assets = 0;

  async commit(changes: ChangeSet): Promise<CommitReceipt> {
    this.assets += changes.assets.length;
    return { changeSeq: this.assets, ordinals: changes.assets.map((_, index) => index) };
  }

  async readDerivation(): Promise<DerivationState> {
    return { version: DERIVATION, next: null };
  }

  async readAccountStates(addresses: readonly unknown[]): Promise<null[]> {
    return addresses.map(() => null);
  }
  async readLinks(): Promise<[]> {
    return [];
  }
  async readLinkPage(): Promise<[]> {
    return [];
  }
  async readLedger(_kind: unknown, keys: readonly unknown[]): Promise<null[]> {
    return keys.map(() => null);
  }
  async readSeenSlots(ids: readonly unknown[]): Promise<null[]> {
    return ids.map(() => null);
  }
}
